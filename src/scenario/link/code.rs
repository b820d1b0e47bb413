//! Bytes as the text of a link, and back: deflate if that is shorter, checksum, base64url.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use miniz_oxide::deflate::compress_to_vec;
use miniz_oxide::inflate::decompress_to_vec_with_limit;

use super::LinkError;
use crate::model::limits;

/// The flag of a deflated body. The other bits are 0.
const DEFLATED: u8 = 1;

/// deflate's best, slowest level.
const LEVEL: u8 = 10;

const CHECKSUM_BYTES: usize = 4;

pub fn pack(body: &[u8]) -> String {
    let deflated = compress_to_vec(body, LEVEL);
    let (flags, body) =
        if deflated.len() < body.len() { (DEFLATED, deflated.as_slice()) } else { (0, body) };
    let mut bytes = Vec::with_capacity(body.len() + 1 + CHECKSUM_BYTES);
    bytes.push(flags);
    bytes.extend_from_slice(body);
    let checksum = crc32fast::hash(&bytes);
    bytes.extend_from_slice(&checksum.to_le_bytes());
    URL_SAFE_NO_PAD.encode(bytes)
}

/// The body of a packed text.
pub fn unpack(text: &str) -> Result<Vec<u8>, LinkError> {
    let is_legal = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    if let Some((place, found)) = text.chars().enumerate().find(|(_, c)| !is_legal(*c)) {
        return Err(LinkError::BadCharacter { found, place: place + 1 });
    }
    // A length or last character that no encoder makes is a link cut off.
    let bytes = URL_SAFE_NO_PAD.decode(text).map_err(|_| LinkError::Checksum)?;
    let Some(split) = bytes.len().checked_sub(CHECKSUM_BYTES).filter(|split| *split > 0) else {
        return Err(LinkError::Checksum);
    };
    let (content, checksum) = bytes.split_at(split);
    if crc32fast::hash(content).to_le_bytes() != checksum {
        return Err(LinkError::Checksum);
    }
    let (flags, body) = (content[0], &content[1..]);
    let most = limits::LINK_BYTES;
    match flags {
        0 if body.len() > most => Err(LinkError::TooBig { most }),
        0 => Ok(body.to_vec()),
        DEFLATED => decompress_to_vec_with_limit(body, most).map_err(|error| match error.status {
            miniz_oxide::inflate::TINFLStatus::HasMoreOutput => LinkError::TooBig { most },
            _ => LinkError::Packing,
        }),
        _ => Err(LinkError::Packing),
    }
}
