use rocketmq_playground::oracle::*;
use std::io::Read;
fn main() {
    let f = std::env::args().nth(1).unwrap();
    let mut s = String::new();
    flate2::read::GzDecoder::new(std::fs::File::open(&f).unwrap()).read_to_string(&mut s).unwrap();
    let t = read::read(&s).unwrap();
    let p = play::play(&t, t.header.profile).unwrap();
    print!("{}", write::write(&p.trace));
}
