//! Failures: the ladder, dead letters, send-backs that fail, broadcasting (spec 11.9 to 11.12, 11.29,
//! 11.30, 11.34).
