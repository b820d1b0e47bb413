//! The terms: one word for one thing, in both languages. What each *is* stands in `super::terms`.
//!
//! A mark's term is told by the mark (`scene::inspect`), a request's by its number (`Term::of_request`).
//!
//! Never imports a room other than `model`.

use super::Language;
use super::terms::{
    Entry, checks, faults, half, modes, moving, numbers, places, readers, requests, states, waits,
};

macro_rules! terms {
    ($($group:ident in $table:ident { $($term:ident = $entry:ident,)* })*) => {
        /// A thing, a state, a number or an act that has a name of its own on the page.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Term {
            $($($term,)*)*
        }

        /// Terms that the help page lists together.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum TermGroup {
            $($group,)*
        }

        impl TermGroup {
            pub const ALL: &[TermGroup] = &[$(TermGroup::$group,)*];

            pub const fn terms(self) -> &'static [Term] {
                match self {
                    $(TermGroup::$group => &[$(Term::$term,)*],)*
                }
            }
        }

        impl Term {
            pub const ALL: &[Term] = &[$($(Term::$term,)*)*];

            const fn entry(self) -> &'static Entry {
                match self {
                    $($(Term::$term => &$table::$entry,)*)*
                }
            }
        }
    };
}

terms! {
    Places in places {
        Producer = PRODUCER,
        Broker = BROKER,
        NameServer = NAME_SERVER,
        Consumer = CONSUMER,
        ConsumerGroup = CONSUMER_GROUP,
        Topic = TOPIC,
        Queue = QUEUE,
        CommitLog = COMMIT_LOG,
        HeldPulls = HELD_PULLS,
        DelayLevels = DELAY_LEVELS,
        RetryQueue = RETRY_QUEUE,
        DeadLetters = DEAD_LETTERS,
        Offsets = OFFSETS,
        LockTable = LOCK_TABLE,
        Shelf = SHELF,
        Workers = WORKERS,
        Listener = LISTENER,
        PullThread = PULL_THREAD,
        MasterSlave = MASTER_SLAVE,
    }
    Moving in moving {
        Message = MESSAGE,
        Copy = COPY,
        Pull = PULL,
        Batch = BATCH,
        OffsetReport = OFFSET_REPORT,
        Heartbeat = HEARTBEAT,
        Notice = NOTICE,
        Call = CALL,
        Route = ROUTE,
        ShortNames = SHORT_NAMES,
    }
    Numbers in numbers {
        Offset = OFFSET,
        MaxOffset = MAX_OFFSET,
        CommittedOffset = COMMITTED_OFFSET,
        PullOffset = PULL_OFFSET,
        UnreportedC = UNREPORTED_C,
        Lag = LAG,
        Uncommitted = UNCOMMITTED,
        Span = SPAN,
        SmallestUnfinished = SMALLEST_UNFINISHED,
        Tries = TRIES,
        MaxRetries = MAX_RETRIES,
        ClientId = CLIENT_ID,
        Tag = TAG,
        Scaled = SCALED,
    }
    Waits in waits {
        LongPolling = LONG_POLLING,
        AwaitsAnswer = AWAITS_ANSWER,
        FastForward = FAST_FORWARD,
        DelayLevel = DELAY_LEVEL,
        LockLease = LOCK_LEASE,
        LockRound = LOCK_ROUND,
        LocalLock = LOCAL_LOCK,
        PutOff = PUT_OFF,
        QueueRests = QUEUE_RESTS,
    }
    Readers in readers {
        Rebalance = REBALANCE,
        Assigned = ASSIGNED,
        Member = MEMBER,
        GivenUp = GIVEN_UP,
        Subscription = SUBSCRIPTION,
    }
    States in states {
        Stored = STORED,
        Waiting = WAITING,
        Running = RUNNING,
        Done = DONE,
        Failed = FAILED,
        SentBack = SENT_BACK,
        Delayed = DELAYED,
        LocalRetry = LOCAL_RETRY,
        Again = AGAIN,
        Dead = DEAD,
        Lost = LOST,
    }
    Modes in modes {
        Concurrent = CONCURRENT,
        Orderly = ORDERLY,
        Clustering = CLUSTERING,
        Broadcasting = BROADCASTING,
        Release = RELEASE,
    }
    Requests in requests {
        Req310 = REQ310,
        Req11 = REQ11,
        Req14 = REQ14,
        Req15 = REQ15,
        Req29 = REQ29,
        Req34 = REQ34,
        Req35 = REQ35,
        Req36 = REQ36,
        Req38 = REQ38,
        Req40 = REQ40,
        Req41 = REQ41,
        Req42 = REQ42,
        Req46 = REQ46,
        Req105 = REQ105,
        Req220 = REQ220,
        Answers = ANSWERS,
    }
    Faults in faults {
        Crash = CRASH,
        LoseHost = LOSE_HOST,
        Stop = STOP,
        Freeze = FREEZE,
        KillBroker = KILL_BROKER,
        Cut = CUT,
        ExpireHead = EXPIRE_HEAD,
        ResetOffset = RESET_OFFSET,
    }
    Checks in checks {
        NothingLost = NOTHING_LOST,
        Twice = TWICE,
        CommitStill = COMMIT_STILL,
        Silent = SILENT,
        TwoOwners = TWO_OWNERS,
        AtLeastOnce = AT_LEAST_ONCE,
    }
}

impl Term {
    /// The word as it stands on the stage; numbers in it are samples (`lag 7`).
    pub const fn word(self, language: Language) -> &'static str {
        self.entry().word[half(language)]
    }

    /// What it is called in RocketMQ's source, where it has a name there.
    pub const fn class(self) -> Option<&'static str> {
        self.entry().class
    }

    /// One sentence for hover, tap and help.
    pub const fn what_it_is(self, language: Language) -> &'static str {
        self.entry().what_it_is[half(language)]
    }

    /// Half a sentence, for the brackets behind the word at its first use in a walkthrough.
    pub const fn first_use(self, language: Language) -> &'static str {
        self.entry().first_use[half(language)]
    }

    /// Whether a first walkthrough needs it.
    pub const fn is_starred(self) -> bool {
        self.entry().is_starred
    }

    /// By which words it is recognised in a sentence. None for what is always told by its kind (p1, c1).
    pub const fn spellings(self, language: Language) -> &'static [&'static str] {
        self.entry().spellings[half(language)]
    }

    /// The kind of call that a request's number says.
    pub const fn of_request(number: u16) -> Term {
        match number {
            10 | 310 => Term::Req310,
            11 => Term::Req11,
            14 => Term::Req14,
            15 => Term::Req15,
            29 | 30 => Term::Req29,
            34 => Term::Req34,
            35 => Term::Req35,
            36 => Term::Req36,
            38 => Term::Req38,
            40 => Term::Req40,
            41 => Term::Req41,
            42 => Term::Req42,
            46 => Term::Req46,
            105 => Term::Req105,
            220 => Term::Req220,
            _ => Term::Call,
        }
    }

    /// The terms that a sentence uses, each with the byte at which it begins. Where spellings overlap, the longest
    /// counts: "retry queue" is no queue.
    pub fn used_in(language: Language, sentence: &str) -> Vec<(usize, Term)> {
        let mut found = Vec::new();
        let mut at = 0;
        while let Some(character) = sentence[at..].chars().next() {
            let longest = Term::ALL
                .iter()
                .flat_map(|term| term.spellings(language).iter().map(|spelling| (*term, *spelling)))
                .filter(|(_, spelling)| stands_at(sentence, at, spelling))
                .max_by_key(|(_, spelling)| spelling.len());
            match longest {
                Some((term, spelling)) => {
                    found.push((at, term));
                    at += spelling.len();
                }
                None => at += character.len_utf8(),
            }
        }
        found
    }
}

/// Whether a spelling begins here as a word of its own; a sentence may begin with it in a capital.
fn stands_at(sentence: &str, at: usize, spelling: &str) -> bool {
    let Some(here) = sentence.get(at..at + spelling.len()) else { return false };
    let is_same = here == spelling
        || (here.chars().skip(1).eq(spelling.chars().skip(1))
            && spelling.starts_with(|c: char| c.is_ascii_lowercase())
            && here[..1].eq_ignore_ascii_case(&spelling[..1]));
    let in_word = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric());
    let cuts = |edge: Option<char>, beyond: Option<char>| in_word(edge) && in_word(beyond);
    let (before, after) = (&sentence[..at], &sentence[at + spelling.len()..]);
    is_same
        && !cuts(spelling.chars().next(), before.chars().next_back())
        && !cuts(spelling.chars().next_back(), after.chars().next())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_term_keeps_to_the_limits_of_length() {
        let letters = |text: &str| text.chars().filter(|c| !c.is_whitespace()).count();
        let words = |text: &str| text.split_whitespace().count();
        for term in Term::ALL {
            let entry = term.entry();
            let lengths = [words(entry.what_it_is[0]), words(entry.first_use[0])];
            assert!(lengths[0] <= 24 && lengths[1] <= 9, "{term:?}: {lengths:?} words");
            let lengths = [letters(entry.what_it_is[1]), letters(entry.first_use[1])];
            assert!(lengths[0] <= 40 && lengths[1] <= 16, "{term:?}: {lengths:?} characters");
        }
    }

    #[test]
    fn what_a_term_is_is_a_sentence_and_its_first_use_is_none() {
        for term in Term::ALL {
            let [english, chinese] = term.entry().what_it_is;
            assert!(english.ends_with(['.', '?']) && chinese.ends_with('。'), "{term:?}");
            assert!(
                !term.entry().first_use.iter().any(|half| half.ends_with(['.', '。'])),
                "{term:?}"
            );
        }
    }

    #[test]
    fn there_are_eighty_seven_terms_and_sixteen_requests() {
        let requests = TermGroup::Requests.terms().len();
        assert_eq!((Term::ALL.len() - requests, requests), (87, 16));
        assert_eq!(Term::ALL.iter().filter(|term| term.is_starred()).count(), 36);
        let of_groups = TermGroup::ALL.iter().flat_map(|group| group.terms());
        assert!(of_groups.eq(Term::ALL), "each term stands in one group");
    }

    #[test]
    fn a_sentence_is_searched_for_the_longest_spelling() {
        let of = |language, sentence| {
            Term::used_in(language, sentence).into_iter().map(|(_, term)| term).collect::<Vec<_>>()
        };
        assert_eq!(
            of(Language::En, "Messages wait in retry queue r0."),
            [Term::Message, Term::RetryQueue]
        );
        assert_eq!(of(Language::En, "So C stays."), [Term::CommittedOffset]);
        assert_eq!(
            of(Language::ZhCn, "消费者组的重试队列"),
            [Term::ConsumerGroup, Term::RetryQueue]
        );
        assert!(of(Language::En, "CPU, Mother, requested").is_empty());
    }
}
