//! Heads of npy files: NumPy's own format for arrays, version 1.0.

/// The head of an npy file: magic bytes, version, and a description filled up with spaces so
/// that the data begin at a multiple of 64 bytes.
pub(super) fn header(kind: &str, shape: &[usize]) -> Vec<u8> {
    let sizes: Vec<String> = shape.iter().map(ToString::to_string).collect();
    let comma = if sizes.len() == 1 { "," } else { "" };
    let shape = format!("({}{comma})", sizes.join(", "));
    let mut text = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}");
    let start = 10;
    let padded = (start + text.len() + 1).next_multiple_of(64);
    text.push_str(&" ".repeat(padded - start - text.len() - 1));
    text.push('\n');
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend_from_slice(&(text.len() as u16).to_le_bytes());
    bytes.extend_from_slice(text.as_bytes());
    bytes
}

/// Kind and shape from the head of an npy file, and where its data begin.
pub(super) fn head(content: &[u8]) -> Option<(String, Vec<usize>, usize)> {
    let length = content.strip_prefix(b"\x93NUMPY\x01\x00")?.first_chunk::<2>()?;
    let start = 10 + usize::from(u16::from_le_bytes(*length));
    let text = std::str::from_utf8(content.get(10..start)?).ok()?;
    let after = |key: &str| Some(text.split_once(key)?.1);
    let kind = after("'descr': '")?.split_once('\'')?.0;
    let is_row_major = after("'fortran_order': ")?.starts_with("False");
    let sizes = after("'shape': (")?.split_once(')')?.0;
    let sizes = sizes.split(',').map(str::trim).filter(|s| !s.is_empty());
    let shape: Option<Vec<usize>> = sizes.map(|s| s.parse().ok()).collect();
    (is_row_major && kind.is_char_boundary(2)).then_some((kind.to_owned(), shape?, start))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_begin_at_a_multiple_of_64_bytes() {
        for shape in [&[5][..], &[10_000, 1_000, 3], &[0, 2]] {
            let head = header("<f8", shape);
            assert_eq!(head.len() % 64, 0);
            assert_eq!(usize::from(head[8]) + 256 * usize::from(head[9]) + 10, head.len());
            assert_eq!(head.last(), Some(&b'\n'));
        }
        assert_eq!(head(&header("<f4", &[3, 0, 2])), Some(("<f4".to_owned(), vec![3, 0, 2], 128)));
        let text = String::from_utf8_lossy(&header("<i8", &[7])).into_owned();
        assert!(text.contains("'shape': (7,), }"), "{text}");
    }
}
