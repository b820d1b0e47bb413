use std::io::Read;
use rocketmq_playground::oracle::*;
fn load(f:&str)->trace::Trace{ let mut s = String::new(); flate2::read::GzDecoder::new(std::fs::File::open(f).unwrap()).read_to_string(&mut s).unwrap();
    read::read(&s).unwrap()}
fn main() {
    let a: Vec<String> = std::env::args().skip(1).collect();
    match a[0].as_str() {
     "table" => {
    let mut table = gap_table::GapTable::default();
    let mut files = Vec::new();
    for v in ["4.2.0", "4.9.8", "5.3.3"] { for f in std::fs::read_dir(format!("tests/golden/traces/{v}")).unwrap() { files.push(f.unwrap().path()); } }
    files.sort();
    for f in files { table.add(&load(f.to_str().unwrap())); }
    print!("{}", table.to_text());
     }
     "model" => { let t=load(&a[1]); let p = play::play(&t, t.header.profile).unwrap(); print!("{}", write::write(&p.trace)); }
     "against" => {
       let table = gap_table::GapTable::from_text(&std::fs::read_to_string("/tmp/o/gaps.tsv").unwrap()).unwrap();
       let v = a.contains(&"-v".to_string());
       let t=load(&a[1]);
       match play::play(&t, t.header.profile) { Err(e)=>println!("REFUSED {e}"),
        Ok(p)=> { let r = compare::compare(&t,&p.trace,&table); print!("{}", r.to_text(v)); } }
     }
     "pair" => {
       let table = gap_table::GapTable::from_text(&std::fs::read_to_string("/tmp/o/gaps.tsv").unwrap()).unwrap();
       let v = a.contains(&"-v".to_string());
       let r = compare::compare(&load(&a[1]),&load(&a[2]),&table); print!("{}", r.to_text(v));
     }
     _ => {}
    }
}
