// What everybody may know who has the key of a document.
import Type, { type Static } from 'typebox'
import { Flag, orNull, Text, Time } from './common.ts'

const VerifiedDocument = Type.Object(
  {
    formattedKey: Text,
    name: Text,
    signatureType: Text,
    sha256: Type.String({ description: 'Of the signed file, hexadecimal: whoever has the file compares it.' }),
    signers: Type.Array(
      Type.Object({
        name: orNull(Text),
        identifier: orNull(Type.String({ description: 'A CPF, partly hidden, or a CNPJ.' })),
        issuer: orNull(Text),
        signedAt: orNull(Time),
        isValid: orNull(
          Type.Boolean({
            description: 'In the security context of the subscription, now; null where the signed data are elsewhere.',
          }),
        ),
      }),
    ),
  },
  { $id: 'VerifiedDocument' },
)

export const verifyDocument = {
  method: 'GET',
  path: '/api/verification/{key}',
  operationId: 'verifyDocument',
  summary: 'Who signed the document of a key, for everybody who has the key; no file is given out.',
  tags: ['Verification'],
  answer: Type.Object({ found: Flag, document: orNull(VerifiedDocument) }, { $id: 'VerificationResponse' }),
  access: 'anonymous',
  policy: 'Verification',
} as const

export type Verification = Static<typeof verifyDocument.answer>

export const verificationPage = {
  method: 'GET',
  path: '/verification/{key}',
  operationId: 'verificationPage',
  summary: 'The same as a page.',
  tags: ['Verification'],
  produces: 'text/html',
  access: 'anonymous',
  policy: 'Verification',
  page: true,
} as const
