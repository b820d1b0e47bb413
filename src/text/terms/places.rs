//! Words for the places, in both languages.

use super::Entry;

pub const PRODUCER: Entry = Entry {
    is_starred: true,
    class: Some("DefaultMQProducer"),
    word: ["producer", "生产者"],
    what_it_is: ["An application that sends messages to a topic.", "往主题里发送消息的应用。"],
    first_use: ["the application that sends", "发送消息的应用"],
    spellings: [&["producer", "producers"], &["生产者"]],
};

pub const BROKER: Entry = Entry {
    is_starred: true,
    class: Some("BrokerController"),
    word: ["Broker", "Broker"],
    what_it_is: [
        "The RocketMQ server: it stores messages and gives them out when consumers pull.",
        "RocketMQ 的服务端：存储消息，消费者来拉取时再给出。",
    ],
    first_use: ["the server that stores messages", "存储消息的服务端"],
    spellings: [&["broker", "brokers", "Broker"], &["Broker"]],
};

pub const NAME_SERVER: Entry = Entry {
    is_starred: false,
    class: Some("NamesrvController, RouteInfoManager"),
    word: ["NameServer", "NameServer"],
    what_it_is: [
        "The address book: it tells producers and consumers which broker holds a topic.",
        "地址簿：生产者和消费者向它查询主题在哪个 Broker 上。",
    ],
    first_use: ["the address book of topics", "查主题在哪个 Broker"],
    spellings: [&["NameServer"], &["NameServer"]],
};

pub const CONSUMER: Entry = Entry {
    is_starred: true,
    class: Some("DefaultMQPushConsumer"),
    word: ["consumer", "消费者"],
    what_it_is: [
        "A process that pulls messages and runs your code on each of them.",
        "一个进程：拉取消息，并对每条消息执行你的代码。",
    ],
    first_use: ["a process that consumes messages", "消费消息的进程"],
    spellings: [&["consumer", "consumers"], &["消费者"]],
};

pub const CONSUMER_GROUP: Entry = Entry {
    is_starred: true,
    class: Some("consumerGroup, ConsumerGroupInfo"),
    word: ["consumer group bill", "消费者组 bill"],
    what_it_is: [
        "Consumers that share the work and the progress under one name, such as bill.",
        "共用一个名字（如 bill）、分担消费并共享进度的一组消费者。",
    ],
    first_use: ["consumers that share one name and the work", "同名、分担消费的消费者"],
    spellings: [&["consumer group", "consumer groups", "group", "groups"], &["消费者组"]],
};

pub const TOPIC: Entry = Entry {
    is_starred: true,
    class: Some("Topic, TopicConfig"),
    word: ["topic orders", "主题 orders"],
    what_it_is: [
        "The name under which messages are sent and subscribed to; it is divided into queues.",
        "一类消息的名字，发送和订阅都用它；下面分成若干个队列。",
    ],
    first_use: ["a kind of message, divided into queues", "一类消息，分成若干队列"],
    spellings: [&["topic", "topics"], &["主题"]],
};

pub const QUEUE: Entry = Entry {
    is_starred: true,
    class: Some("MessageQueue, ConsumeQueue"),
    word: ["queue q0", "队列 q0"],
    what_it_is: [
        "One numbered row of a topic's messages at the broker; reading removes nothing from it.",
        "主题在 Broker 上的一列消息，依次编号；消费过也不会删掉。",
    ],
    first_use: ["one numbered row of the topic's messages", "主题里的一列消息"],
    spellings: [&["queue", "queues"], &["队列"]],
};

pub const COMMIT_LOG: Entry = Entry {
    is_starred: false,
    class: Some("CommitLog"),
    word: ["CommitLog", "CommitLog"],
    what_it_is: [
        "The one log in which the broker writes every message; queues only point into it.",
        "Broker 把所有消息顺序写进的日志；队列里只存指向它的索引。",
    ],
    first_use: ["the log that holds every message", "存放全部消息的日志"],
    spellings: [&["CommitLog"], &["CommitLog"]],
};

pub const HELD_PULLS: Entry = Entry {
    is_starred: true,
    class: Some("PullRequestHoldService.pullRequestTable"),
    word: ["held pulls", "挂起的拉取"],
    what_it_is: [
        "Pulls that found nothing new; the broker answers them when a message arrives or time is up.",
        "暂时没有新消息的拉取请求；Broker 等消息到达或超时才应答。",
    ],
    first_use: ["pulls the broker has not answered yet", "Broker 暂不应答的拉取"],
    spellings: [&["held pull", "held pulls"], &["挂起的拉取"]],
};

pub const DELAY_LEVELS: Entry = Entry {
    is_starred: true,
    class: Some("SCHEDULE_TOPIC_XXXX, ScheduleMessageService"),
    word: ["delay levels", "延迟级别"],
    what_it_is: [
        "18 steps at the broker, from 1 s to 2 h; a failed message waits on one for its retry.",
        "Broker 上的 18 档等待时间，从 1 秒到 2 小时；失败的消息在此等重试。",
    ],
    first_use: ["18 waiting times, from 1 s to 2 h", "1 秒到 2 小时，共 18 档"],
    spellings: [&["delay levels", "SCHEDULE_TOPIC_XXXX"], &["SCHEDULE_TOPIC_XXXX", "各延迟级别"]],
};

pub const RETRY_QUEUE: Entry = Entry {
    is_starred: true,
    class: Some("%RETRY%group"),
    word: ["retry queue r0, %RETRY%bill", "重试队列 r0，%RETRY%bill"],
    what_it_is: [
        "The group's own queue for messages that failed; it is read like any other queue.",
        "消费者组自己的队列：失败的消息等够时间后进来，再次被消费。",
    ],
    first_use: ["the group's own queue for failed messages", "本组失败消息的专用队列"],
    spellings: [&["retry queue", "retry queues"], &["重试队列"]],
};

pub const DEAD_LETTERS: Entry = Entry {
    is_starred: true,
    class: Some("%DLQ%group"),
    word: ["dead letters, %DLQ%bill", "死信队列 %DLQ%bill"],
    what_it_is: [
        "Where a message ends after its last retry; no consumer reads it, a person has to look.",
        "重试次数用完的消息最后进这里；没有消费者读，要人工处理。",
    ],
    first_use: ["failed too often; nobody reads them", "重试用完的消息，无人消费"],
    spellings: [&["dead letters"], &["死信队列"]],
};

pub const OFFSETS: Entry = Entry {
    is_starred: true,
    class: Some("ConsumerOffsetManager.offsetTable, RemoteBrokerOffsetStore.offsetTable"),
    word: ["Offsets", "位点表"],
    what_it_is: [
        "One number C per group and queue, saved at the broker; the consumer keeps a newer one in memory.",
        "每个组、每个队列一个 C：Broker 存一份，消费者内存里有更新的一份。",
    ],
    first_use: ["C for each group and queue", "各组、各队列的 C"],
    spellings: [&["offset table", "offset tables"], &["位点表"]],
};

pub const LOCK_TABLE: Entry = Entry {
    is_starred: false,
    class: Some("RebalanceLockManager.mqLockTable"),
    word: ["Lock table", "锁表"],
    what_it_is: [
        "Orderly only: the broker's list of which consumer holds which queue's lock, and until when.",
        "只用于顺序消费：Broker 记着每个队列的锁归谁、何时到期。",
    ],
    first_use: ["who holds which queue's lock, until when", "各队列的锁归谁、何时到期"],
    spellings: [&["lock table"], &["锁表"]],
};

pub const SHELF: Entry = Entry {
    is_starred: true,
    class: Some("ProcessQueue.msgTreeMap"),
    word: ["shelf", "本地队列"],
    what_it_is: [
        "In a consumer's memory: messages of one queue that were pulled and are not finished yet.",
        "消费者内存里：一个队列已经拉来、还没消费完的消息。",
    ],
    first_use: ["pulled messages that are not finished yet", "已拉来、没消费完的消息"],
    spellings: [&["shelf", "shelves"], &["本地队列"]],
};

pub const WORKERS: Entry = Entry {
    is_starred: true,
    class: Some("consumeExecutor, consumeThreadMin"),
    word: ["workers", "消费线程"],
    what_it_is: [
        "The consumer's threads, 20 by default; each calls your listener with one message at a time.",
        "调用监听器的线程，默认 20 个，每个一次处理一条消息。",
    ],
    first_use: ["threads that call your listener", "调用监听器的线程"],
    spellings: [&["worker", "workers"], &["消费线程"]],
};

pub const LISTENER: Entry = Entry {
    is_starred: true,
    class: Some("MessageListenerConcurrently, MessageListenerOrderly"),
    word: ["listener", "监听器"],
    what_it_is: [
        "Your own code: called with each message, it returns success or failure.",
        "你写的处理代码：每条消息调用一次，返回成功或失败。",
    ],
    first_use: ["your code that handles a message", "你写的消息处理代码"],
    spellings: [&["listener", "listeners"], &["监听器"]],
};

pub const PULL_THREAD: Entry = Entry {
    is_starred: false,
    class: Some("PullMessageService"),
    word: ["pull thread", "拉取线程"],
    what_it_is: [
        "The consumer's only thread that sends pulls; it sends one and takes the next without waiting for answers.",
        "消费者里唯一发拉取的线程：发出一个就取下一个，不等应答。",
    ],
    first_use: ["the only thread that sends pulls", "唯一发出拉取的线程"],
    spellings: [&["pull thread"], &["拉取线程"]],
};

pub const MASTER_SLAVE: Entry = Entry {
    is_starred: false,
    class: Some("brokerId"),
    word: ["master, slave", "主节点、从节点"],
    what_it_is: [
        "The master takes messages; its slave has a copy and only lets consumers read.",
        "主节点收消息；从节点存一份副本，只能读。",
    ],
    first_use: ["the slave has a copy, only for reading", "从节点有副本，但只能读"],
    spellings: [&["master", "slave"], &["主节点", "从节点"]],
};
