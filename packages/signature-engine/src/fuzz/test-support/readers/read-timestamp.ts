import { digest } from '../../../crypto/digest.ts'
import { judgeTimestamp } from '../../../timestamps/judge-timestamp.ts'
import { readTimestampQuery, tokenInResponse } from '../../../timestamps/timestamp-protocol.ts'
import { readTimestampToken } from '../../../timestamps/timestamp-token.ts'
import { stamped } from '../corpus/timestamp-seeds.ts'
import { ask, type Reader, verdictOf } from './reader.ts'

/** A timestamp token: read, found inside a response, judged. */
export const readAnyTimestamp: Reader = async (bytes, _, { judge, recording: { now } }) => {
  ask(() => readTimestampToken(bytes))
  ask(() => tokenInResponse(bytes))
  ask(() => readTimestampQuery(bytes))
  const imprint = (name: Parameters<typeof digest>[0]) => digest(name, stamped)
  return verdictOf(await judgeTimestamp(bytes, imprint, { judge, now, kind: 'signature' }))
}
