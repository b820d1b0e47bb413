//! RocketMQ's properties that would change nothing here, each with the reason. A file that sets one is
//! told so, instead of being read as if it had an effect.

/// A property's name, and why it is refused: the end of "leaving it out: …".
pub type Refused = (&'static str, &'static str);

const NO_POP: &str = "POP is not in this version";
const ALWAYS_IN_MEMORY: &str = "every message counts as in memory here, whatever its age";

pub const REFUSED_OF_CONSUMER: &[Refused] = &[
    ("popInvisibleTime", NO_POP),
    ("popBatchNums", NO_POP),
    ("popThresholdForQueue", NO_POP),
    ("pullBatchSizeInBytes", "the broker's maxTransferBytesOnMessageInMemory bounds a batch here"),
    ("adjustThreadPoolNumsThreshold", "RocketMQ's adjustThreadPool has an empty body"),
    ("instanceName", "a scenario names its clients itself, by `client`"),
    ("rocketmq.client.rebalance.minInterval", "it is a second since 5.2.0, and not there before"),
];

pub const REFUSED_OF_PRODUCER: &[Refused] = &[
    (
        "retryAnotherBrokerWhenNotStoreOK",
        "a broker here that has stored a message always answers SEND_OK, since it waits neither for the \
         disk nor for a slave",
    ),
    ("compressMsgBodyOverHowmuch", "a body's size is its size as stored"),
    ("maxMessageSize", "a body has 4 MiB at most, as in RocketMQ"),
    ("createTopicKey", "TBW102 is the only template here"),
    ("instanceName", "a scenario names its clients itself, by `client`"),
];

pub const REFUSED_OF_BROKER: &[Refused] = &[
    ("accessMessageInMemoryMaxRatio", "firstMessageInMemory says what it decides for a new group"),
    ("maxTransferCountOnMessageInDisk", ALWAYS_IN_MEMORY),
    ("maxTransferBytesOnMessageInDisk", ALWAYS_IN_MEMORY),
    ("flushDiskType", "a kill command says how many messages were not yet on the disk"),
    ("brokerRole", "a master answers without waiting for its slaves here (ASYNC_MASTER)"),
];

pub const REFUSED_OF_GROUP: &[Refused] = &[
    (
        "retryMaxTimes",
        "it counts for clients older than 3.4.9 only; all others send their own maxReconsumeTimes",
    ),
    (
        "whichBrokerWhenConsumeSlowly",
        "every message counts as in memory here, so nobody is sent to a slave for being slow",
    ),
    ("consumeFromMinEnable", "the model has nothing that it would change"),
    ("brokerId", "a pull begins at the master here, and goes to a slave only without one"),
];
