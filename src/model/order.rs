//! Sorting with little code. The standard library's sort is compiled anew for each type and each comparison, up to
//! six kB of Wasm a time; here the comparison is called through a pointer, so that one sort serves every list.
//! For lists of a screen's length; the engine's own loop sorts as usual.

use std::cmp::Ordering;

/// Sorts stably by a key, as `slice::sort_by_key`.
pub fn sort_by_key<T, K: Ord>(list: &mut [T], key: impl Fn(&T) -> K) {
    sort_by(list, |a, b| key(a).cmp(&key(b)));
}

/// Sorts stably by the type's own order, as `slice::sort`.
pub fn sort<T: Ord>(list: &mut [T]) {
    sort_by(list, T::cmp);
}

/// Sorts stably by a comparison, as `slice::sort_by`.
pub fn sort_by<T>(list: &mut [T], compare: impl Fn(&T, &T) -> Ordering) {
    let mut sources = order(list.len(), &|a, b| compare(&list[a], &list[b]));
    // Each round of swaps brings home one ring of places of which each wants what lies at the next.
    for start in 0..list.len() {
        let mut at = start;
        loop {
            let source = std::mem::replace(&mut sources[at], at);
            if source == start || source == at {
                break;
            }
            list.swap(at, source);
            at = source;
        }
    }
}

/// For each place of the sorted list, where its entry lies now.
#[inline(never)]
fn order(length: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut sources: Vec<usize> = (0..length).collect();
    sources.sort_by(|a, b| compare(*a, *b));
    sources
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers below `below` that look like chance.
    fn numbers(length: u64, below: u64) -> Vec<u64> {
        let step = |it: &u64| Some(it.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1));
        std::iter::successors(Some(length), step)
            .map(|it| (it >> 33) % below)
            .take(usize::try_from(length).expect("it is short"))
            .collect()
    }

    #[test]
    fn every_list_is_sorted_as_the_standard_library_sorts_it_equals_in_their_old_order() {
        for length in 0..120 {
            for below in [1, 3, 10, 1_000] {
                let entries: Vec<(u64, usize)> =
                    numbers(length, below).into_iter().zip(0..).collect();
                let (mut ours, mut theirs) = (entries.clone(), entries);
                sort_by_key(&mut ours, |(number, _)| *number);
                theirs.sort_by_key(|(number, _)| *number);
                assert_eq!(ours, theirs);
                sort_by(&mut ours, |a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
                theirs.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
                assert_eq!(ours, theirs);
                sort(&mut ours);
                theirs.sort();
                assert_eq!(ours, theirs);
            }
        }
    }
}
