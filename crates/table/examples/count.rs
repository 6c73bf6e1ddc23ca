use danzig::*; use kernel::*; use std::collections::BTreeMap;
fn main(){
 let mut max: BTreeMap<String,(usize,usize,String)>=BTreeMap::new();
 for seed in 0..3u64 {
  let mut s=[0;32]; s[0]=seed as u8;
  let mut g=Play::<State>::begin(&Setup{scenario:SCENARIOS[0].into(),options:Default::default()},Source::Open(HexHash(s)),Some(s)).unwrap();
  let mut dice=Live::numbered(seed+1); let mut acts=Vec::new(); let mut n=0;
  while let Some(side)=g.state().to_move(){ g.state().actions(&mut acts);
    let bytes=serde_json::to_string(&acts).unwrap().len();
    let e=max.entry(format!("{:?}",g.state().phase)).or_default();
    if acts.len()>e.0 {*e=(acts.len(),bytes,serde_json::to_string(&acts.iter().filter(|a| !matches!(a,Action::EndPhase)).nth(acts.len()/2).unwrap_or(&acts[0])).unwrap());}
    let i=auto_choice(g.state(),&acts,&mut dice); let a=acts[i].clone(); g.decide(g.entries(),side,&a).unwrap(); n+=1; if n>6000 {break;} }
  println!("{seed}: {n} turn {} {:?}",g.state().table.turn,g.state().outcome());
 }
 for (k,v) in max {println!("{k} {v:?}");}
}
