/** The channel an enrolment is for: the second, TLS between the keys of both sides. Those for the first are made again. */
export const CHANNEL = 2
