import { createPrivateKey } from 'node:crypto'
import { EngineError } from '../../errors/engine-error.ts'
import type { HttpExchange } from '../../http/exchange.ts'
import { createJudge } from '../../judgement/judge-certificate.ts'
import { RevocationList } from '../../revocation/crl.ts'
import { RevocationSource } from '../../revocation/revocation-source.ts'
import type { Timestamp, TimestampClient } from '../../timestamps/timestamp-client.ts'
import { readTimestampToken } from '../../timestamps/timestamp-token.ts'
import { TrustAnchors } from '../../trust/trust-anchors.ts'
import { Certificate } from '../../x509/certificate.ts'
import type { Judges } from './readers/reader.ts'
import type { Recording } from './seed.ts'

/** Judges that use recorded answers: no case may reach a network, and none may wait for one. */
export function judgesOn(recording: Recording): Judges {
  const exchange: HttpExchange = async ({ url }) => {
    const body = recording.answers.get(url)
    return { status: body ? 200 : 404, headers: {}, body: Buffer.from(body ?? '') }
  }
  const [anchor, issuer] = [Certificate.read(recording.anchor), Certificate.read(recording.issuer)]
  return {
    recording,
    judge: createJudge({
      anchors: TrustAnchors.of([anchor]),
      revocation: new RevocationSource({ exchange }),
      exchange,
    }),
    anchor,
    offline: createJudge({ anchors: TrustAnchors.of([anchor]) }),
    authorities: readable(recording, Certificate.read),
    lists: readable(recording, RevocationList.read).flatMap((list) => (list.isFrom(issuer) ? [] : [list.der])),
    timestamps: recorded(Buffer.from(recording.token)),
    issuer,
    holder: Certificate.read(recording.holder.certificate),
    privateKey: createPrivateKey({ key: Buffer.from(recording.holder.privateKey), format: 'der', type: 'pkcs8' }),
  }
}

/** What stands on the recorded answers of the authorities: their lists and their certificates. */
function readable<T>({ answers }: Recording, read: (body: Uint8Array) => T): T[] {
  return [...answers.values()].flatMap((body) => {
    try {
      return [read(body)]
    } catch (error) {
      if (error instanceof EngineError) return []
      throw error
    }
  })
}

/** Always returns the same token: another kind tests how tokens are checked. */
function recorded(token: Buffer): TimestampClient {
  const { time, policy, certificates } = readTimestampToken(token)
  const timestamp: Timestamp = { token, time, policy, certificate: certificates[0]!, certificates }
  return { stamp: async () => timestamp, stampDigest: async () => timestamp }
}
