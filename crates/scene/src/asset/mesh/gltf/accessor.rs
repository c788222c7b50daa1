//! Numbers of a glTF document, read from its buffers.

use ::gltf::accessor::sparse::IndexType;
use ::gltf::accessor::{DataType, Dimensions};
use ::gltf::buffer::View;
use ::gltf::{Accessor, Semantic};

use crate::asset::mesh::MAX_TRIANGLES;

/// The elements of an accessor, read one by one; all that is read lies within the buffers.
pub(super) struct Elements<'a> {
    name: String,
    /// Nothing: all elements are zero, but for those in `replaced`.
    dense: Option<Table<'a>>,
    /// Places, growing, and the rows of the table that replace the elements there.
    replaced: Option<(Vec<usize>, Table<'a>)>,
    count: usize,
    kind: DataType,
    is_normalised: bool,
}

/// Most elements of an accessor without data of its own.
const MAX_EMPTY: usize = 1 << 20;

/// Rows of bytes.
struct Table<'a> {
    bytes: &'a [u8],
    stride: usize,
    row: usize,
}

impl<'a> Elements<'a> {
    /// An attribute of vertices: single precision, or normalised whole numbers.
    pub(super) fn attribute(
        accessor: &Accessor,
        semantic: &Semantic,
        buffers: &'a [Vec<u8>],
    ) -> Result<Elements<'a>, String> {
        let dimensions = match semantic {
            Semantic::Tangents => Dimensions::Vec4,
            Semantic::TexCoords(_) => Dimensions::Vec2,
            _ => Dimensions::Vec3,
        };
        let elements = Elements::new(accessor, dimensions, buffers)?;
        match accessor.data_type() {
            DataType::F32 => Ok(elements),
            DataType::U32 => Err(elements.problem("has 32-bit whole numbers; expected floats")),
            _ if accessor.normalized() => Ok(elements),
            _ => Err(elements.problem("has whole numbers that are not normalised")),
        }
    }

    /// Indices of vertices.
    pub(super) fn indices(
        accessor: &Accessor,
        buffers: &'a [Vec<u8>],
    ) -> Result<Elements<'a>, String> {
        let elements = Elements::new(accessor, Dimensions::Scalar, buffers)?;
        match accessor.data_type() {
            DataType::U8 | DataType::U16 | DataType::U32 if !accessor.normalized() => Ok(elements),
            _ => Err(elements.problem("has no indices; expected unsigned whole numbers")),
        }
    }

    fn new(
        accessor: &Accessor,
        dimensions: Dimensions,
        buffers: &'a [Vec<u8>],
    ) -> Result<Elements<'a>, String> {
        let mut elements = Elements {
            name: format!("accessors[{}]", accessor.index()),
            dense: None,
            replaced: None,
            count: accessor.count(),
            kind: accessor.data_type(),
            is_normalised: accessor.normalized(),
        };
        let found = accessor.dimensions();
        let most = if accessor.view().is_some() { 3 * MAX_TRIANGLES } else { MAX_EMPTY };
        if found != dimensions {
            return Err(
                elements.problem(&format!("has {found:?} elements; expected {dimensions:?}"))
            );
        }
        if elements.count > most {
            let count = elements.count;
            return Err(elements.problem(&format!("has {count} elements; expected at most {most}")));
        }
        let row = accessor.size();
        if let Some(view) = accessor.view() {
            let table = Table::new(&view, accessor.offset(), row, elements.count, buffers);
            elements.dense = Some(table.map_err(|problem| elements.problem(&problem))?);
        }
        if let Some(sparse) = accessor.sparse() {
            let count = sparse.count();
            let (at, values) = (sparse.indices(), sparse.values());
            let width = match at.index_type() {
                IndexType::U8 => 1,
                IndexType::U16 => 2,
                IndexType::U32 => 4,
            };
            let places = Table::new(&at.view(), at.offset(), width, count, buffers)
                .map_err(|problem| elements.problem(&problem))?;
            let values = Table::new(&values.view(), values.offset(), row, count, buffers)
                .map_err(|problem| elements.problem(&problem))?;
            let places: Vec<usize> = (0..count).map(|i| little_endian(places.row(i))).collect();
            let is_ordered = places.windows(2).all(|pair| pair[0] < pair[1]);
            if !is_ordered || places.last().is_some_and(|last| *last >= elements.count) {
                return Err(elements.problem("replaces elements out of order or beyond its end"));
            }
            elements.replaced = Some((places, values));
        }
        Ok(elements)
    }

    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// Element `i`, of as many numbers as the accessor has dimensions.
    pub(super) fn get<const N: usize>(&self, i: usize) -> Result<[f64; N], String> {
        if i >= self.count {
            return Err(self.problem(&format!("has no element {i}; it has {}", self.count)));
        }
        let replaced = self
            .replaced
            .as_ref()
            .and_then(|(places, values)| Some((places.binary_search(&i).ok()?, values)));
        let bytes = match (replaced, &self.dense) {
            (Some((k, values)), _) => values.row(k),
            (None, Some(table)) => table.row(i),
            (None, None) => return Ok([0.0; N]),
        };
        let mut numbers = [0.0; N];
        for (number, bytes) in numbers.iter_mut().zip(bytes.chunks_exact(self.kind.size())) {
            *number = decode(self.kind, self.is_normalised, bytes);
        }
        Ok(numbers)
    }

    fn problem(&self, problem: &str) -> String {
        format!("{} {problem}", self.name)
    }
}

impl<'a> Table<'a> {
    /// `count` rows from `offset` of a view; they must lie within it, and it within its buffer.
    fn new(
        view: &View,
        offset: usize,
        row: usize,
        count: usize,
        buffers: &'a [Vec<u8>],
    ) -> Result<Table<'a>, String> {
        let name = format!("bufferViews[{}]", view.index());
        let buffer = buffers.get(view.buffer().index()).map_or(&[][..], Vec::as_slice);
        let bytes = view
            .offset()
            .checked_add(view.length())
            .and_then(|end| buffer.get(view.offset()..end))
            .ok_or_else(|| format!("needs {name}, which lies beyond its buffer"))?;
        let stride = view.stride().unwrap_or(row);
        if stride < row {
            return Err(format!("has elements of {row} bytes every {stride} in {name}"));
        }
        let length = match count {
            0 => Some(0),
            _ => (count - 1).checked_mul(stride).and_then(|l| l.checked_add(row)),
        };
        let bytes = length
            .and_then(|length| bytes.get(offset..offset.checked_add(length)?))
            .ok_or_else(|| format!("has {count} elements, which do not fit in {name}"))?;
        Ok(Table { bytes, stride, row })
    }

    fn row(&self, i: usize) -> &'a [u8] {
        &self.bytes[i * self.stride..][..self.row]
    }
}

/// A number in the bytes of its kind. Whole numbers are normalised to [0, 1] or [−1, 1].
fn decode(kind: DataType, is_normalised: bool, bytes: &[u8]) -> f64 {
    let bits = little_endian(bytes);
    let (number, largest) = match kind {
        DataType::F32 => return f64::from(f32::from_bits(bits as u32)),
        DataType::U8 => (bits as f64, f64::from(u8::MAX)),
        DataType::U16 => (bits as f64, f64::from(u16::MAX)),
        DataType::U32 => (bits as f64, f64::from(u32::MAX)),
        DataType::I8 => (f64::from((bits as u8).cast_signed()), f64::from(i8::MAX)),
        DataType::I16 => (f64::from((bits as u16).cast_signed()), f64::from(i16::MAX)),
    };
    if is_normalised { (number / largest).max(-1.0) } else { number }
}

fn little_endian(bytes: &[u8]) -> usize {
    bytes.iter().rev().fold(0, |n, byte| n << 8 | usize::from(*byte))
}
