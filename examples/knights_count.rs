use secateurs::problems::catalogue::KnightsTours;
use std::time::Duration;
fn main() {
    let a: Vec<usize> = std::env::args().skip(1).map(|x| x.parse().unwrap()).collect();
    let t = KnightsTours::new(a[0], a[1]).unwrap();
    let t0 = std::time::Instant::now();
    let o = t.split().cycles().threads(a.get(2).copied().unwrap_or(1)).progress(Duration::from_millis(1), |p| eprintln!("{p:?} {:?}", t0.elapsed())).count();
    println!("{:?} {:?} {:?}", o.exact(), o.stop(), t0.elapsed());
    println!("{}", o.report());
}
