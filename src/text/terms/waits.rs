//! Words for the waits, in both languages.

use super::Entry;

pub const LONG_POLLING: Entry = Entry {
    is_starred: true,
    class: Some("BROKER_SUSPEND_MAX_TIME_MILLIS"),
    word: ["held: no message yet", "挂起：还没有消息"],
    what_it_is: [
        "The broker answers a pull only when a message arrives, or after 15 to 20 s.",
        "长轮询：没有消息时先不应答，消息到了或 15～20 秒后才答。",
    ],
    first_use: ["no message yet, so no answer yet", "没消息就先不应答"],
    spellings: [&["long polling"], &["长轮询"]],
};

pub const AWAITS_ANSWER: Entry = Entry {
    is_starred: true,
    class: Some("PullRequest"),
    word: ["awaits answer", "等待应答"],
    what_it_is: [
        "This pull has been sent to the broker, and the answer has not come back yet.",
        "这个拉取已经发给 Broker，应答还没有回来。",
    ],
    first_use: ["sent, no answer yet", "已发出，还没有应答"],
    spellings: [&["awaits answer", "awaits an answer", "awaits the answer"], &["等待应答"]],
};

pub const FAST_FORWARD: Entry = Entry {
    is_starred: true,
    class: None,
    word: ["⟪ 47 s ⟫ fast-forward", "⟪ 47 秒 ⟫ 快进"],
    what_it_is: [
        "A long wait shown in about one second; beside it stands who waits for what, until when.",
        "很长的等待，约 1 秒放完；旁边写着谁在等什么、到几时。",
    ],
    first_use: ["a long wait, shown in a second", "长等待，约 1 秒放完"],
    spellings: [&["fast-forward"], &["快进"]],
};

pub const DELAY_LEVEL: Entry = Entry {
    is_starred: true,
    class: Some("delayTimeLevel, messageDelayLevel"),
    word: ["delay level 3 (10 s)", "延迟级别 3（10 秒）"],
    what_it_is: [
        "How long a failed message waits: delay level 3, 10 s, after the first failure; one level more each time.",
        "失败后等多久：第一次是延迟级别 3，10 秒；每失败一次升一级。",
    ],
    first_use: ["the longer, the more often it failed", "失败越多，等得越久"],
    spellings: [&["delay level"], &["延迟级别"]],
};

pub const LOCK_LEASE: Entry = Entry {
    is_starred: false,
    class: Some("REBALANCE_LOCK_MAX_LIVE_TIME"),
    word: ["lock, ends in 60 s", "锁，60 秒后到期"],
    what_it_is: [
        "A queue's lock ends 60 s after its last renewal, or when its holder gives it back.",
        "队列锁在最后一次续期 60 秒后到期，或由持有者主动释放。",
    ],
    first_use: ["ends 60 s after its last renewal", "续期后 60 秒有效"],
    spellings: [&["lock", "locks"], &["队列锁", "锁"]],
};

pub const LOCK_ROUND: Entry = Entry {
    is_starred: false,
    class: Some("lockMQPeriodically, lockAll"),
    word: ["locks renewed every 20 s", "每 20 秒续锁"],
    what_it_is: [
        "Every 20 s an orderly consumer asks the broker again for the locks of all its queues.",
        "顺序消费者每 20 秒为自己的所有队列向 Broker 重新加锁。",
    ],
    first_use: ["every 20 s, all its locks again", "每 20 秒统一续锁"],
    spellings: [&["locks renewed", "lock round", "renews its locks"], &["续锁"]],
};

pub const LOCAL_LOCK: Entry = Entry {
    is_starred: false,
    class: Some("ProcessQueue.locked"),
    word: ["locked here", "本地：已加锁"],
    what_it_is: [
        "The consumer's own note that it holds a queue's lock; without it an orderly consumer does not pull.",
        "消费者自己记的“锁在我这里”；没有它，顺序消费就不拉取。",
    ],
    first_use: ["c1's own note that it holds the lock", "消费者自己的持锁标记"],
    spellings: [&["locked here"], &["已加锁", "未加锁"]],
};

pub const PUT_OFF: Entry = Entry {
    is_starred: true,
    class: Some("executePullRequestLater"),
    word: ["pull put off", "暂缓拉取"],
    what_it_is: [
        "The consumer delays its own pull: too much on the shelf, span too wide, or queue not locked.",
        "消费者自己推迟拉取：缓存太多、跨度太大，或队列没加锁。",
    ],
    first_use: ["c1 delays its own pull", "消费者自己推迟拉取"],
    spellings: [
        &["put off", "puts off", "pull off", "flow control"],
        &["暂缓拉取", "暂缓", "流控"],
    ],
};

pub const QUEUE_RESTS: Entry = Entry {
    is_starred: false,
    class: Some("SUSPEND_CURRENT_QUEUE_A_MOMENT"),
    word: ["queue rests 1 s", "队列暂停 1 秒"],
    what_it_is: [
        "Orderly: after a failure the queue stops for 1 s, then the same message is tried again.",
        "顺序消费失败后，这个队列停 1 秒，再消费同一条消息。",
    ],
    first_use: ["stops 1 s, then the same message again", "停 1 秒，再试同一条"],
    spellings: [&["queue rests"], &["队列暂停"]],
};
