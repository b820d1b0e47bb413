//! Words for what moves, in both languages.

use super::Entry;

pub const MESSAGE: Entry = Entry {
    is_starred: true,
    class: Some("MessageExt"),
    word: ["message k0", "消息 k0"],
    what_it_is: [
        "One piece of data from a producer; its name on the stage, such as k0, never changes.",
        "生产者发出的一份数据；画面上的名字（如 k0）始终不变。",
    ],
    first_use: ["one piece of data from a producer", "生产者发出的一份数据"],
    spellings: [&["message", "messages"], &["消息"]],
};

pub const COPY: Entry = Entry {
    is_starred: false,
    class: Some("MessageExt.queueOffset"),
    word: ["copy", "副本"],
    what_it_is: [
        "A new record of the same message, stored for a retry; the old record stays where it is.",
        "为重试另存的一条记录，位点是新的；原来那条还在原处。",
    ],
    first_use: ["a new record; the old one stays", "另存一条，原来的还在"],
    spellings: [&["copy", "copies"], &["副本"]],
};

pub const PULL: Entry = Entry {
    is_starred: true,
    class: Some("PullRequest"),
    word: ["pull q0→23", "拉取请求 q0→23"],
    what_it_is: [
        "A consumer's request for a queue's messages from P on; there is one per queue, sent over and over.",
        "消费者向 Broker 要某个队列从 P 起的消息；每个队列一个，循环发出。",
    ],
    first_use: ["c1's request for the next messages", "向 Broker 取后面的消息"],
    spellings: [&["pull", "pulls"], &["拉取请求", "拉取"]],
};

pub const BATCH: Entry = Entry {
    is_starred: true,
    class: Some("pullBatchSize"),
    word: ["batch", "一批消息"],
    what_it_is: [
        "The messages that one pull brings back together, at most 32 by default.",
        "一次拉取带回的若干条消息，默认最多 32 条。",
    ],
    first_use: ["what one pull brings back", "一次拉取带回的消息"],
    spellings: [&["batch", "batches"], &["一批"]],
};

pub const OFFSET_REPORT: Entry = Entry {
    is_starred: true,
    class: Some("persistAllConsumerOffset"),
    word: ["offset report", "上报消费位点"],
    what_it_is: [
        "The consumer tells the broker its new C, every 5 s and along with its pulls.",
        "消费者把新的 C 告诉 Broker：每 5 秒一次，拉取时也顺带。",
    ],
    first_use: ["c1 tells the broker its new C", "把新的 C 告诉 Broker"],
    spellings: [&["offset report", "offset reports", "report", "reports", "reported"], &["上报"]],
};

pub const HEARTBEAT: Entry = Entry {
    is_starred: false,
    class: Some("HEART_BEAT"),
    word: ["heartbeat", "心跳"],
    what_it_is: [
        "Every 30 s a consumer tells each broker: I live, my group is this, I subscribe to these topics.",
        "消费者每 30 秒告诉 Broker：我还在、在哪个组、订阅了什么。",
    ],
    first_use: ["“I live”, every 30 s", "每 30 秒报一次“我还在”"],
    spellings: [&["heartbeat", "heartbeats"], &["心跳"]],
};

pub const NOTICE: Entry = Entry {
    is_starred: false,
    class: Some("NOTIFY_CONSUMER_IDS_CHANGED"),
    word: ["notice", "消费者变更通知"],
    what_it_is: [
        "The broker tells every consumer of a group that one joined or left, and they rebalance.",
        "组里有消费者加入或离开时，Broker 通知全组，各自重平衡。",
    ],
    first_use: ["a consumer joined or left the group", "组里的消费者有增减"],
    spellings: [&["notice", "notices", "notifies"], &["变更通知"]],
};

pub const CALL: Entry = Entry {
    is_starred: true,
    class: Some("RemotingCommand.code"),
    word: ["request 36, answer", "请求码 36、应答"],
    what_it_is: [
        "A remote call across the network; its number says what kind, the dashed line back is the answer.",
        "一次跨网络的远程调用；数字是请求码，表示种类，虚线是应答。",
    ],
    first_use: ["the number says what kind of call", "数字表示是哪种请求"],
    spellings: [&["request", "requests"], &["请求码"]],
};

pub const ROUTE: Entry = Entry {
    is_starred: false,
    class: Some("TopicRouteData"),
    word: ["route", "路由"],
    what_it_is: [
        "What the NameServer answers: which brokers have a topic, and with how many queues.",
        "NameServer 的答复：主题在哪些 Broker 上、各有几个队列。",
    ],
    first_use: ["which brokers have the topic", "主题在哪些 Broker 上"],
    spellings: [&["route", "routes"], &["路由"]],
};

pub const SHORT_NAMES: Entry = Entry {
    is_starred: true,
    class: None,
    word: ["p1, c1, q0, r0, B", "p1、c1、q0、r0、B"],
    what_it_is: [
        "Short names on the stage: p1 a producer, c1 a consumer, q0 a queue, r0 the retry queue, B a message.",
        "画面上的简称：p1 生产者，c1 消费者，q0 队列，r0 重试队列，B 消息。",
    ],
    first_use: ["c1 is a consumer, q0 a queue", "c1 是消费者，q0 是队列"],
    spellings: [&[], &[]],
};
