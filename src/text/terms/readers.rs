//! Words for who reads what, in both languages.

use super::Entry;

pub const REBALANCE: Entry = Entry {
    is_starred: true,
    class: Some("RebalanceService"),
    word: ["rebalance", "重平衡"],
    what_it_is: [
        "Each consumer works out which queues it reads: every 20 s, and when one joins or leaves.",
        "每个消费者各自算出该读哪些队列：每 20 秒，或组内有增减时。",
    ],
    first_use: ["each works out which queues it reads", "各自算出该读哪些队列"],
    spellings: [&["rebalance", "rebalances"], &["重平衡"]],
};

pub const ASSIGNED: Entry = Entry {
    is_starred: true,
    class: Some("AllocateMessageQueueStrategy"),
    word: ["assigned to c1", "分配给 c1"],
    what_it_is: [
        "The rebalance gave this queue to this consumer; only whole queues are given, each to one.",
        "重平衡把这个队列分给了它；分配以整个队列为单位。",
    ],
    first_use: ["the rebalance gave it to c1", "重平衡把它分给了 c1"],
    spellings: [&["assigned"], &["分配给"]],
};

pub const MEMBER: Entry = Entry {
    is_starred: false,
    class: Some("ConsumerGroupInfo.channelInfoTable"),
    word: ["consumers of the group", "组内消费者"],
    what_it_is: [
        "The consumers that the broker lists for a group, by their heartbeats.",
        "Broker 根据心跳记下的、这个组现有的消费者。",
    ],
    first_use: ["those the broker lists for the group", "Broker 名单上的消费者"],
    spellings: [&["consumers of the group", "consumers of a group"], &["组内消费者"]],
};

pub const GIVEN_UP: Entry = Entry {
    is_starred: false,
    class: Some("ProcessQueue.dropped"),
    word: ["given up", "已失效"],
    what_it_is: [
        "This consumer no longer reads the queue; what it finishes of it after that does not count.",
        "这个队列不再归它读；之后才做完的消息也不算数。",
    ],
    first_use: ["no longer its queue; results do not count", "不再归它，结果不算数"],
    spellings: [&["given up", "gives up"], &["已失效"]],
};

pub const SUBSCRIPTION: Entry = Entry {
    is_starred: false,
    class: Some("SubscriptionData"),
    word: ["subscription", "订阅关系"],
    what_it_is: [
        "Which topics and tags a consumer wants; it must be the same in the whole group.",
        "消费者要哪些主题和标签；同一组里必须一致。",
    ],
    first_use: ["the topics and tags it wants", "要哪些主题和标签"],
    spellings: [&["subscription", "subscriptions"], &["订阅关系"]],
};
