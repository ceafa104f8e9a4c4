// The time-stamping authority of RFC 3161.

import {
  boolean,
  type Der,
  explicit,
  generalizedTime,
  integer,
  namedBits,
  oid,
  readDer,
  sequence,
  tlv,
  utf8String,
} from '@chancela/signature-engine/der'
import { AsnConvert } from '@peculiar/asn1-schema'
import { TimeStampReq } from '@peculiar/asn1-tsp'
import { type IssuedCertificate, randomSerial, subjectOf } from './certificate.ts'
import { timeStampTerms } from './declaration.ts'
import type { DemoPki } from './demo-pki.ts'
import type { Flaw } from './faults.ts'
import { signContent } from './signed-data.ts'

const TST_INFO = '1.2.840.113549.1.9.16.1.4'

/** Accepted hash algorithms and the length of their imprints, in bytes. */
const imprintLengths: Record<string, number> = {
  '2.16.840.1.101.3.4.2.1': 32,
  '2.16.840.1.101.3.4.2.2': 48,
  '2.16.840.1.101.3.4.2.3': 64,
}

/** RFC 3161 §2.4.2: the reasons a request is rejected for, with their bits in PKIFailureInfo. */
const failures = {
  badAlg: { bit: 0, text: 'Only SHA-256, SHA-384 and SHA-512 imprints are stamped.' },
  badRequest: { bit: 2, text: 'Only version 1 requests are answered.' },
  badDataFormat: { bit: 5, text: 'The request cannot be read, or the imprint has the wrong length.' },
  timeNotAvailable: { bit: 14, text: 'The time source is not available.' },
  unacceptedPolicy: { bit: 15, text: 'The policy asked for is not the one of this authority.' },
  unacceptedExtension: { bit: 16, text: 'The request has an extension that is not supported.' },
} as const

type Failure = keyof typeof failures

/** The DER response to a DER request: a token, or a rejection with its reason. */
export async function answerTimeStamp(pki: DemoPki, request: Uint8Array, flaw?: Flaw): Promise<Der> {
  if (flaw === 'try-later') return rejection('timeNotAvailable')
  const asked = readRequest(request)
  const failure = asked ? objectionTo(asked) : 'badDataFormat'
  if (failure || !asked) return rejection(failure ?? 'badDataFormat')
  return granted(await token(pki, asked, flaw))
}

function readRequest(request: Uint8Array): TimeStampReq | undefined {
  try {
    readDer(request)
    return AsnConvert.parse(request, TimeStampReq)
  } catch {
    return undefined // any parse error is badDataFormat
  }
}

function objectionTo({ version, messageImprint, reqPolicy, extensions }: TimeStampReq): Failure | undefined {
  if (version !== 1) return 'badRequest'
  const length = imprintLengths[messageImprint.hashAlgorithm.algorithm]
  if (length === undefined) return 'badAlg'
  if (messageImprint.hashedMessage.byteLength !== length) return 'badDataFormat'
  if (reqPolicy !== undefined && reqPolicy !== timeStampTerms.policy) return 'unacceptedPolicy'
  return extensions?.length ? 'unacceptedExtension' : undefined
}

function token(pki: DemoPki, asked: TimeStampReq, flaw: Flaw | undefined): Promise<Der> {
  const signer = pki.certificate('tsa')
  // The root is left out: a client that trusts it has it.
  const certificates = asked.certReq ? pki.chainOf(signer).slice(0, -1) : []
  return signContent({
    type: TST_INFO,
    content: timeStampInfo(asked, signer, pki.clock(), flaw === 'wrong-nonce'),
    signer,
    certificates,
    wrongSignature: flaw === 'wrong-signature',
  })
}

/** TSTInfo: the imprint, the time, its accuracy, the authority. */
const timeStampInfo = (asked: TimeStampReq, signer: IssuedCertificate, now: Date, wrongNonce: boolean): Der =>
  sequence(
    integer(1),
    oid(timeStampTerms.policy),
    Buffer.from(AsnConvert.serialize(asked.messageImprint)),
    integer(randomSerial()),
    generalizedTime(now),
    sequence(integer(timeStampTerms.accuracySeconds)),
    timeStampTerms.ordering ? boolean(true) : undefined,
    asked.nonce && nonceOf(asked.nonce, wrongNonce),
    explicit(0, explicit(4, subjectOf(signer))),
  )

/** The nonce's original bytes: it is an INTEGER that may be negative or padded. */
function nonceOf(nonce: ArrayBuffer, wrong: boolean): Der {
  const echoed = Buffer.from(nonce.slice(0))
  if (wrong) echoed[echoed.length - 1]! ^= 1
  return tlv(0x02, echoed)
}

const granted = (timeStampToken: Der): Der => sequence(sequence(integer(0)), timeStampToken)

const rejection = (failure: Failure): Der =>
  sequence(sequence(integer(2), sequence(utf8String(failures[failure].text)), namedBits(failures[failure].bit)))
