//! Words for the requests, by number, in both languages.

use super::Entry;

pub const REQ310: Entry = Entry {
    is_starred: false,
    class: Some("SEND_MESSAGE_V2, SEND_MESSAGE"),
    word: ["310 send (also 10)", "310 发送（也有 10）"],
    what_it_is: [
        "A producer gives the broker a message to store.",
        "生产者把消息交给 Broker 存储。",
    ],
    first_use: ["request 310: send a message", "请求码 310：发送消息"],
    spellings: [&["request 310", "request 10"], &["请求码 310", "请求码 10"]],
};

pub const REQ11: Entry = Entry {
    is_starred: false,
    class: Some("PULL_MESSAGE"),
    word: ["11 pull", "11 拉取"],
    what_it_is: [
        "A consumer asks for messages of one queue from P on; its C rides along.",
        "消费者要某个队列从 P 起的消息，顺带上报 C。",
    ],
    first_use: ["request 11: ask for messages", "请求码 11：拉取消息"],
    spellings: [&["request 11"], &["请求码 11"]],
};

pub const REQ14: Entry = Entry {
    is_starred: false,
    class: Some("QUERY_CONSUMER_OFFSET"),
    word: ["14 ask C", "14 查消费位点"],
    what_it_is: [
        "A consumer that was assigned a queue asks the broker for the group's C.",
        "消费者分到队列后，向 Broker 查询本组的 C。",
    ],
    first_use: ["request 14: where to begin reading", "请求码 14：从哪里读起"],
    spellings: [&["request 14"], &["请求码 14"]],
};

pub const REQ15: Entry = Entry {
    is_starred: false,
    class: Some("UPDATE_CONSUMER_OFFSET"),
    word: ["15 report C", "15 上报位点"],
    what_it_is: [
        "A consumer reports its new C: every 5 s, when it gives up a queue, when it stops.",
        "消费者上报新的 C：每 5 秒、让出队列时、停止时。",
    ],
    first_use: ["request 15: report C", "请求码 15：上报 C"],
    spellings: [&["request 15"], &["请求码 15"]],
};

pub const REQ29: Entry = Entry {
    is_starred: false,
    class: Some("SEARCH_OFFSET_BY_TIMESTAMP, GET_MAX_OFFSET"),
    word: ["29, 30 find offset", "29、30 查位点"],
    what_it_is: [
        "A group without C asks for the offset of a moment, 29, or for M, 30.",
        "还没有 C 的组：29 查某一时刻的位点，30 查 M。",
    ],
    first_use: ["request 30: ask for M", "请求码 30：查 M"],
    spellings: [&["request 29", "request 30"], &["请求码 29", "请求码 30"]],
};

pub const REQ34: Entry = Entry {
    is_starred: false,
    class: Some("HEART_BEAT"),
    word: ["34 heartbeat", "34 心跳"],
    what_it_is: [
        "A client tells every broker that it lives, its group and its subscriptions, every 30 s.",
        "客户端每 30 秒告诉各 Broker：还在、在哪个组、订阅什么。",
    ],
    first_use: ["request 34: I live", "请求码 34：心跳"],
    spellings: [&["request 34"], &["请求码 34"]],
};

pub const REQ35: Entry = Entry {
    is_starred: false,
    class: Some("UNREGISTER_CLIENT"),
    word: ["35 sign off", "35 注销"],
    what_it_is: [
        "A client that stops tells the broker that it leaves the group.",
        "客户端停止时告诉 Broker：我离开消费者组。",
    ],
    first_use: ["request 35: I leave", "请求码 35：离开消费者组"],
    spellings: [&["request 35"], &["请求码 35"]],
};

pub const REQ36: Entry = Entry {
    is_starred: false,
    class: Some("CONSUMER_SEND_MSG_BACK"),
    word: ["36 send back", "36 发回"],
    what_it_is: [
        "A consumer returns a failed message; the broker stores a copy that waits for its retry.",
        "消费者发回失败的消息，Broker 另存副本，等待重试。",
    ],
    first_use: ["request 36: return a failed message", "请求码 36：发回失败消息"],
    spellings: [&["request 36"], &["请求码 36"]],
};

pub const REQ38: Entry = Entry {
    is_starred: false,
    class: Some("GET_CONSUMER_LIST_BY_GROUP"),
    word: ["38 list consumers", "38 查组内消费者"],
    what_it_is: [
        "A consumer asks which consumers are in its group, before it works out its queues.",
        "消费者先问组里有谁，再算自己该读哪些队列。",
    ],
    first_use: ["request 38: who is in the group", "请求码 38：查组里有谁"],
    spellings: [&["request 38"], &["请求码 38"]],
};

pub const REQ40: Entry = Entry {
    is_starred: false,
    class: Some("NOTIFY_CONSUMER_IDS_CHANGED"),
    word: ["40 list changed", "40 消费者变更"],
    what_it_is: [
        "The broker tells all consumers of a group that one joined or left; it waits for no answer.",
        "Broker 通知组内所有消费者：有人加入或离开；不等应答。",
    ],
    first_use: ["request 40: the group has changed", "请求码 40：组内有增减"],
    spellings: [&["request 40"], &["请求码 40"]],
};

pub const REQ41: Entry = Entry {
    is_starred: false,
    class: Some("LOCK_BATCH_MQ"),
    word: ["41 lock", "41 加锁"],
    what_it_is: [
        "An orderly consumer asks the broker for the locks of queues, or renews them.",
        "顺序消费者向 Broker 请求队列锁，或者续期。",
    ],
    first_use: ["request 41: ask for the lock", "请求码 41：请求加锁"],
    spellings: [&["request 41"], &["请求码 41"]],
};

pub const REQ42: Entry = Entry {
    is_starred: false,
    class: Some("UNLOCK_BATCH_MQ"),
    word: ["42 unlock", "42 解锁"],
    what_it_is: [
        "An orderly consumer gives locks back, when it stops or loses a queue.",
        "顺序消费者停止或让出队列时，释放队列锁。",
    ],
    first_use: ["request 42: give the lock back", "请求码 42：释放锁"],
    spellings: [&["request 42"], &["请求码 42"]],
};

pub const REQ46: Entry = Entry {
    is_starred: false,
    class: Some("CHECK_CLIENT_CONFIG"),
    word: ["46 check filter", "46 检查过滤"],
    what_it_is: [
        "At its start a consumer lets the broker check an SQL filter; with tags nothing is sent.",
        "启动时请 Broker 检查 SQL 过滤表达式；只用标签时不发。",
    ],
    first_use: ["request 46: check the filter", "请求码 46：检查过滤条件"],
    spellings: [&["request 46"], &["请求码 46"]],
};

pub const REQ105: Entry = Entry {
    is_starred: false,
    class: Some("GET_ROUTEINFO_BY_TOPIC"),
    word: ["105 route", "105 查路由"],
    what_it_is: [
        "A client asks the NameServer which brokers have a topic, at its start and every 30 s.",
        "客户端向 NameServer 查主题在哪些 Broker 上，每 30 秒一次。",
    ],
    first_use: ["request 105: where is the topic?", "请求码 105：主题在哪里"],
    spellings: [&["request 105"], &["请求码 105"]],
};

pub const REQ220: Entry = Entry {
    is_starred: false,
    class: Some("RESET_CONSUMER_CLIENT_OFFSET"),
    word: ["220 reset C", "220 重置位点"],
    what_it_is: [
        "The broker tells consumers to jump to other offsets, because an operator asked for it.",
        "运维要求重置时，Broker 通知消费者跳到新的位点。",
    ],
    first_use: ["request 220: jump to another offset", "请求码 220：重置位点"],
    spellings: [&["request 220"], &["请求码 220"]],
};

pub const ANSWERS: Entry = Entry {
    is_starred: false,
    class: Some("ResponseCode"),
    word: ["answer 0, 19, 21, 22", "应答码 0、19、21、22"],
    what_it_is: [
        "Answers have numbers, too: 0 success, 19 nothing new, 21 offset corrected, 22 no offset stored.",
        "应答也有编号：0 成功，19 没有新消息，21 位点被纠正，22 没有位点。",
    ],
    first_use: ["answer 22: no offset stored", "应答码 22：没有位点"],
    spellings: [&["answer 0", "answer 19", "answer 21", "answer 22"], &["应答码"]],
};
