use std::io::Read;
fn main() {
    let mut table = rocketmq_playground::oracle::gap_table::GapTable::default();
    let mut files = Vec::new();
    for v in ["4.2.0", "4.9.8", "5.3.3"] { for f in std::fs::read_dir(format!("tests/golden/traces/{v}")).unwrap() { files.push(f.unwrap().path()); } }
    files.sort();
    for f in files { let mut s = String::new(); flate2::read::GzDecoder::new(std::fs::File::open(&f).unwrap()).read_to_string(&mut s).unwrap();
      table.add(&rocketmq_playground::oracle::read::read(&s).unwrap()); }
    print!("{}", table.to_text());
}
