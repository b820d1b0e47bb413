//! Words for the numbers, in both languages.

use super::Entry;

pub const OFFSET: Entry = Entry {
    is_starred: true,
    class: Some("queueOffset"),
    word: ["offset", "位点"],
    what_it_is: [
        "A message's number in its queue, counted from 0; q0·17 means queue q0, offset 17.",
        "消息在队列里的序号，从 0 数起；q0·17 就是 q0 的位点 17。",
    ],
    first_use: ["its number in the queue, from 0", "在队列里的序号"],
    spellings: [&["offset", "offsets"], &["位点"]],
};

pub const MAX_OFFSET: Entry = Entry {
    is_starred: true,
    class: Some("maxOffset"),
    word: ["M 23", "M 23（最大位点）"],
    what_it_is: [
        "The number that the next message of this queue will get: the newest one plus 1.",
        "最大位点：下一条消息将得到的位点，等于最新一条加 1。",
    ],
    first_use: ["M: the next message's offset", "M：下一条消息的位点"],
    spellings: [&["M"], &["最大位点", "M"]],
};

pub const COMMITTED_OFFSET: Entry = Entry {
    is_starred: true,
    class: Some("commitOffset"),
    word: ["C 16", "C 16（消费位点）"],
    what_it_is: [
        "The group's committed offset: all before it are done; after a restart reading begins here.",
        "消费位点：它之前的都已处理完，重启或换人后从它读起。",
    ],
    first_use: ["C: all before it are done", "C：它之前的都处理完了"],
    spellings: [&["committed offset", "committed offsets", "C"], &["消费位点", "C"]],
};

pub const PULL_OFFSET: Entry = Entry {
    is_starred: true,
    class: Some("PullRequest.nextOffset"),
    word: ["P 23", "P 23（拉取位点）"],
    what_it_is: ["The first offset that the next pull will ask for.", "下一次拉取从这个位点开始。"],
    first_use: ["P: where the next pull begins", "P：下次拉取的起点"],
    spellings: [&["P"], &["拉取位点", "P"]],
};

pub const UNREPORTED_C: Entry = Entry {
    is_starred: false,
    class: Some("RemoteBrokerOffsetStore"),
    word: ["→ 17 in 4.7 s", "→ 17（4.7 秒后上报）"],
    what_it_is: [
        "C as the consumer knows it already; the broker learns it with the next report.",
        "消费者已经算出的 C，下次上报时 Broker 才知道。",
    ],
    first_use: ["known to c1, not yet reported", "已算出，还没上报"],
    spellings: [&["unreported"], &["未上报", "没上报"]],
};

pub const LAG: Entry = Entry {
    is_starred: true,
    class: Some("consumerProgress: Diff"),
    word: ["lag 7", "堆积 7 条"],
    what_it_is: [
        "How many messages of the queue are not committed yet: M − C.",
        "队列里还没提交的消息数：M − C。",
    ],
    first_use: ["not committed yet, M − C", "还没提交的条数，M − C"],
    spellings: [&["lag", "lags"], &["堆积"]],
};

pub const UNCOMMITTED: Entry = Entry {
    is_starred: true,
    class: Some("inflight"),
    word: ["pulled, not committed 7", "已拉取未提交 7"],
    what_it_is: [
        "Messages that were pulled but that C has not passed, P − C; after a crash they come again.",
        "已被拉走、C 还没越过的消息数：P − C；崩溃后会再投递。",
    ],
    first_use: ["pulled, but C has not passed them", "拉走了，C 还没越过"],
    spellings: [&["not committed"], &["已拉取未提交"]],
};

pub const SPAN: Entry = Entry {
    is_starred: false,
    class: Some("getMaxSpan(), consumeConcurrentlyMaxSpan"),
    word: ["offset span 5, limit 7", "位点跨度 5，上限 7"],
    what_it_is: [
        "Largest minus smallest offset on a shelf; above the limit the next pull is put off.",
        "本地队列里最大与最小位点之差；超过上限就暂缓拉取。",
    ],
    first_use: ["largest minus smallest offset on the shelf", "最大与最小位点之差"],
    spellings: [&["offset span", "span"], &["位点跨度", "跨度"]],
};

pub const SMALLEST_UNFINISHED: Entry = Entry {
    is_starred: true,
    class: Some("msgTreeMap.firstKey()"),
    word: ["smallest unfinished", "最小未完成位点"],
    what_it_is: [
        "The lowest offset on the shelf; C cannot pass it, even when later messages are done.",
        "本地队列里最小的位点；后面的做完了，C 也不能越过它。",
    ],
    first_use: ["C cannot pass this offset", "C 不能越过这个位点"],
    spellings: [&["smallest unfinished"], &["最小未完成位点", "最小未完成"]],
};

pub const TRIES: Entry = Entry {
    is_starred: false,
    class: Some("reconsumeTimes + 1"),
    word: ["2nd try", "第 2 次消费"],
    what_it_is: [
        "How often this message has come to a listener; each failure adds one and makes the wait longer.",
        "这条消息第几次交给监听器；每失败一次加一，等得也更久。",
    ],
    first_use: ["how often it has been tried", "第几次交给监听器"],
    spellings: [&["2nd try", "3rd try", "4th try", "5th try"], &["次消费"]],
};

pub const MAX_RETRIES: Entry = Entry {
    is_starred: false,
    class: Some("maxReconsumeTimes"),
    word: ["at most 16 retries", "最多重试 16 次"],
    what_it_is: [
        "After this many retries a failed message becomes a dead letter; orderly consumption has no limit by default.",
        "重试这么多次还失败就进死信队列；顺序消费默认不限次数。",
    ],
    first_use: ["then it becomes a dead letter", "超过就进死信队列"],
    spellings: [&["at most 16 retries", "retries"], &["最多重试"]],
};

pub const CLIENT_ID: Entry = Entry {
    is_starred: false,
    class: Some("clientId"),
    word: ["client id", "客户端 ID"],
    what_it_is: [
        "The name by which the broker knows a process; no two processes may share one.",
        "Broker 识别一个进程用的名字；两个进程不能相同。",
    ],
    first_use: ["the name the broker knows it by", "Broker 识别进程的名字"],
    spellings: [&["client id", "client ids"], &["客户端 ID"]],
};

pub const TAG: Entry = Entry {
    is_starred: false,
    class: Some("TAGS"),
    word: ["tag paid", "标签 paid"],
    what_it_is: [
        "A word on a message; a consumer can subscribe to some tags of a topic only.",
        "消息上的标签；消费者可以只订阅主题里的某些标签。",
    ],
    first_use: ["a word on a message, for filtering", "消息上用来过滤的词"],
    spellings: [&["tag", "tags"], &["标签"]],
};

pub const SCALED: Entry = Entry {
    is_starred: true,
    class: None,
    word: ["7 (2000)", "7（默认 2000）"],
    what_it_is: [
        "A limit made small so that it can be seen; RocketMQ's own default stands in brackets.",
        "为了看得清而调小的上限；括号里是 RocketMQ 的默认值。",
    ],
    first_use: ["small here; RocketMQ's default in brackets", "这里调小了，括号内是默认"],
    spellings: [&["default"], &["默认"]],
};
