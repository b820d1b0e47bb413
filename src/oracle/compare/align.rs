//! Two orders side by side.

/// The places of both orders that are not in their longest common order.
pub fn unmatched<T>(
    real: &[T],
    ours: &[T],
    same: impl Fn(&T, &T) -> bool,
) -> (Vec<usize>, Vec<usize>) {
    // What both begin and end with needs no table.
    let shortest = real.len().min(ours.len());
    let head = (0..shortest).take_while(|i| same(&real[*i], &ours[*i])).count();
    let tail = (0..shortest - head)
        .take_while(|i| same(&real[real.len() - 1 - i], &ours[ours.len() - 1 - i]))
        .count();
    let (real, ours) = (&real[head..real.len() - tail], &ours[head..ours.len() - tail]);
    let width = ours.len() + 1;
    let mut longest = vec![0u32; (real.len() + 1) * width];
    for i in (0..real.len()).rev() {
        for j in (0..ours.len()).rev() {
            longest[i * width + j] = if same(&real[i], &ours[j]) {
                longest[(i + 1) * width + j + 1] + 1
            } else {
                longest[(i + 1) * width + j].max(longest[i * width + j + 1])
            };
        }
    }
    let (mut i, mut j) = (0, 0);
    let (mut only_real, mut only_ours) = (Vec::new(), Vec::new());
    while i < real.len() || j < ours.len() {
        if i < real.len() && j < ours.len() && same(&real[i], &ours[j]) {
            i += 1;
            j += 1;
        } else if j >= ours.len()
            || (i < real.len() && longest[(i + 1) * width + j] >= longest[i * width + j + 1])
        {
            only_real.push(head + i);
            i += 1;
        } else {
            only_ours.push(head + j);
            j += 1;
        }
    }
    (only_real, only_ours)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn off(real: &str, ours: &str) -> (Vec<usize>, Vec<usize>) {
        let chars = |text: &str| text.chars().collect::<Vec<_>>();
        unmatched(&chars(real), &chars(ours), |a, b| a == b)
    }

    #[test]
    fn what_only_one_order_has_is_found_at_its_place() {
        assert_eq!(off("abcd", "abcd"), (vec![], vec![]));
        assert_eq!(off("abxcd", "abcd"), (vec![2], vec![]));
        assert_eq!(off("abcd", "abcyd"), (vec![], vec![3]));
        assert_eq!(off("axb", "ayb"), (vec![1], vec![1]));
        assert_eq!(off("", "ab"), (vec![], vec![0, 1]));
    }
}
