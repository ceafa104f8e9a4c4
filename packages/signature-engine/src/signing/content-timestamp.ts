import type { DigestName } from '../crypto/algorithms.ts'
import type { TimestampClient } from '../timestamps/timestamp-client.ts'
import { refuseSigning } from './errors.ts'

/** Whether what is signed gets a timestamp first, which is signed with it. */
export interface ContentTimestampOptions {
  /** Proves that the content existed before it was signed; needs `timestamps`. Default false. */
  readonly contentTimestamp?: boolean | undefined
  readonly timestamps?: TimestampClient | undefined
}

/** Refuses before anything is read or asked. */
export function requireContentTimestamp({ contentTimestamp, timestamps }: ContentTimestampOptions): void {
  if (contentTimestamp && !timestamps) throw refuseSigning('signing.timestamps-missing')
}

/** Tokens over content of this digest, for the option `contentTimestamps` of what prepares a signature. */
export async function contentTimestampsOf(
  name: DigestName,
  value: () => Uint8Array,
  { contentTimestamp, timestamps }: ContentTimestampOptions,
): Promise<{ readonly contentTimestamps?: readonly Uint8Array[] }> {
  if (!contentTimestamp) return {}
  if (name !== 'sha256' && name !== 'sha512') throw refuseSigning('signing.timestamp-digest', { digest: name })
  return { contentTimestamps: [(await timestamps!.stampDigest(name, value())).token] }
}
