//! Buffers of a glTF document, inside it and beside it.

use ::gltf::Document;
use ::gltf::buffer::Source;
use base64::Engine;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

use crate::asset::{AssetError, Resolve};

/// Base 64 with or without padding at the end.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// The bytes of all buffers, each as long as the document says.
pub(super) fn load(
    file: &str,
    document: &Document,
    blob: Option<&[u8]>,
    resolve: Resolve,
) -> Result<Vec<Vec<u8>>, AssetError> {
    document
        .buffers()
        .map(|buffer| {
            let what = format!("buffers[{}]", buffer.index());
            let whole = |problem| AssetError::content(file, format!("{what}: {problem}"));
            let mut bytes = match buffer.source() {
                Source::Bin => blob.ok_or_else(|| whole("no binary chunk".to_owned()))?.to_vec(),
                Source::Uri(uri) => fetch(file, &what, uri, resolve)?,
            };
            let (found, promised) = (bytes.len(), buffer.length());
            if found < promised {
                return Err(whole(format!("{found} bytes; expected {promised}")));
            }
            bytes.truncate(promised);
            Ok(bytes)
        })
        .collect()
}

/// What an address holds: the content of a `data:` one, or a file beside the document.
pub(super) fn fetch(
    file: &str,
    what: &str,
    uri: &str,
    resolve: Resolve,
) -> Result<Vec<u8>, AssetError> {
    let whole = |problem| AssetError::content(file, format!("{what}: {problem}"));
    if let Some(data) = uri.strip_prefix("data:") {
        return decode(data).map_err(whole);
    }
    let name = relative(uri).map_err(whole)?;
    resolve(&name).map_err(|source| AssetError::Reference {
        file: file.to_owned(),
        what: what.to_owned(),
        source: Box::new(source),
    })
}

/// The content of a `data:` address, without that word.
fn decode(data: &str) -> Result<Vec<u8>, String> {
    let (kind, content) = data.split_once(',').ok_or("a data address without a comma")?;
    if !kind.ends_with(";base64") {
        return Err(format!("a data address of kind {kind:?}; expected one that ends in ;base64"));
    }
    BASE64.decode(content.trim()).map_err(|error| format!("not base 64: {error}"))
}

/// The name of a file beside the document, from its address.
fn relative(uri: &str) -> Result<String, String> {
    let scheme = uri.split(['/', '?', '#']).next().and_then(|start| start.split_once(':'));
    if scheme.is_some() {
        return Err(format!("the address {uri:?}; expected a relative one, or data:"));
    }
    percent_decoded(uri).ok_or_else(|| format!("the address {uri:?} has a broken % sequence"))
}

fn percent_decoded(uri: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(uri.len());
    let mut rest = uri.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let mut digit = || char::from(rest.next()?).to_digit(16);
            bytes.push((digit()? * 16 + digit()?) as u8);
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).ok()
}
