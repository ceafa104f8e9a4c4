import { readCertificates } from '@chancela/signature-engine/x509'
import { finding } from '../../contract/provider-findings.ts'
import { listOf, recordOf, textOf } from '../json-values.ts'
import type { Grant, HeldCertificate } from '../provider.ts'
import { ProviderProblem } from '../provider-problem.ts'
import type { PscGrantData } from './authorization.ts'
import type { PscContext } from './psc-context.ts'

/** The certificates the token gives access to (row 8): the chosen one, or all of the holder's. */
export async function listCertificates(
  { urlOf, exchange, deadlines }: PscContext,
  grant: Grant,
  signal: AbortSignal | undefined,
): Promise<readonly HeldCertificate[]> {
  const { body } = await exchange.send({
    method: 'GET',
    url: urlOf('certificate-discovery'),
    bearer: (grant.data as PscGrantData).token,
    shown: 'token',
    deadline: deadlines.call,
    signal,
    safe: true,
  })
  return listed(body).map(heldCertificate)
}

/** A status alone may mean none; without either, what answered is no provider, and nothing is known of the holder. */
function listed(body: unknown): readonly unknown[] {
  const { status, certificates } = recordOf(body)
  if (!Array.isArray(certificates) && textOf(status) === undefined)
    throw new ProviderProblem('garbage', { found: finding('answer-lacks', { call: 'certificate-discovery' }) })
  return listOf(certificates)
}

function heldCertificate(entry: unknown): HeldCertificate {
  const { alias, certificate } = recordOf(entry)
  return { alias: textOf(alias) ?? '', der: derOf(textOf(certificate) ?? '') }
}

/** PEM by the norm; the bare base64 of the DER at some. */
function derOf(text: string): Uint8Array {
  try {
    return readCertificates(Buffer.from(text))[0]!.der
  } catch (cause) {
    throw new ProviderProblem('garbage', { found: 'certificate-unreadable', cause })
  }
}
