// Timestamps of RFC 3161: fetched with failover, read, judged.
//
//   const timestamps = createTimestampClient({ authorities: [{ url: 'http://tsa.example/' }, { url: 'http://spare.example/' }] })
//   const { token, time } = await timestamps.stamp(bytes)
export { type ImprintOf, type JudgeTimestampOptions, judgeTimestamp } from './judge-timestamp.ts'
export {
  createTimestampClient,
  type StampOptions,
  type Timestamp,
  type TimestampAuthority,
  type TimestampClient,
  type TimestampClientOptions,
} from './timestamp-client.ts'
export { createTimestampRelay, type TimestampRelay } from './timestamp-relay.ts'
export { readTimestampToken, type TimestampToken } from './timestamp-token.ts'
export { type ValidateTimestampOptions, validateTimestamp } from './validate-timestamp.ts'
