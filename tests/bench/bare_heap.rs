//! The least that the reference workload needs: a heap of enum events, counters for queues. No message, no
//! client, no broker; what the engine is compared with, in the same round.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::time::{Duration, Instant};

use crate::workload::{Size, cpu_time};

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum What {
    Append(u32),
    Pull(u32),
    Answer(u32, u32),
    End(u32, u32),
    Again(u32),
}

#[derive(Default)]
struct Heap {
    entries: BinaryHeap<Reverse<(u64, u64, What)>>,
    pushed: u64,
}

impl Heap {
    fn push(&mut self, at: u64, what: What) {
        self.pushed += 1;
        self.entries.push(Reverse((at, self.pushed, what)));
    }
}

#[derive(Clone, Default)]
struct Queue {
    end: u32,
    next: u32,
    done: u32,
    is_pulled: bool,
}

/// How long it takes.
pub fn run(size: Size) -> Duration {
    let began = Instant::now();
    let start = cpu_time(began);
    let rounds = size.messages / size.queues;
    let mut queues = vec![Queue::default(); size.queues as usize];
    let mut heap = Heap::default();
    (0..size.queues).for_each(|queue| heap.push(0, What::Append(queue)));
    while let Some(Reverse((at, _, what))) = heap.entries.pop() {
        match what {
            What::Append(number) => {
                let queue = &mut queues[number as usize];
                queue.end += 1;
                if !std::mem::replace(&mut queue.is_pulled, true) {
                    heap.push(at + 1, What::Answer(number, queue.end - queue.next));
                }
                if queue.end < rounds {
                    heap.push(at + 10, What::Append(number));
                }
            }
            What::Pull(number) => {
                let queue = &mut queues[number as usize];
                let found = (queue.end - queue.next).min(32);
                queue.is_pulled = found > 0;
                if found > 0 {
                    heap.push(at + 1, What::Answer(number, found));
                }
            }
            What::Answer(number, found) => {
                let first = queues[number as usize].next;
                (first..first + found).for_each(|it| heap.push(at + 5, What::End(number, it)));
                queues[number as usize].next += found;
                heap.push(at + 1, What::Pull(number));
            }
            What::End(number, message) if message % 20 == 0 => {
                heap.push(at + 10_000, What::Again(number));
            }
            What::End(number, _) | What::Again(number) => queues[number as usize].done += 1,
        }
    }
    assert!(queues.iter().all(|queue| queue.done == rounds), "the bare heap lost a message");
    cpu_time(began) - start
}
