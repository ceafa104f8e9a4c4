import { type ErrorVocabulary, refuser } from '../errors/engine-error.ts'

/** Why a PDF container is refused. Nothing is repaired unasked: a repaired file is not the file its author signed. */
export const pdfErrors = {
  'pdf.not-a-pdf': 'The file has no PDF header.',
  'pdf.junk-before-header':
    'The file has {bytes} bytes before the PDF header, so that its offsets do not hold; if nobody signed it, it can be repaired (`chancela repair`).',
  'pdf.encrypted': 'The file is encrypted, and can be read with its password only.',
  'pdf.password-wrong': 'The password is neither that of the users of the encrypted file nor that of its owner.',
  'pdf.not-permitted':
    'The author of the encrypted file does not permit this ({operation}); with the password of the owner it can be done.',
  'pdf.damaged':
    'The PDF structure is damaged at byte {offset}: {reason}; a file that nobody signed can be repaired (`chancela repair`).',
  'pdf.repair-signed': 'The damaged file is signed; a repair would break its signatures.',
  'pdf.repair-encrypted':
    'The damaged file is encrypted, and is not repaired: its objects cannot be told apart from others.',
  'pdf.beyond-repair': 'The damaged file cannot be repaired: {reason}.',
  'pdf.ambiguous': 'Programs would show different contents of this PDF: {reason}.',
  'pdf.too-complex': 'The PDF structure goes beyond a limit of the reader: {reason}.',
  'pdf.unsupported': 'The PDF uses a feature that is not supported: {reason}.',
  'pdf.xfa-dynamic': 'The file is a dynamic XFA form, whose pages are made by the viewer and cannot be signed.',
  'pdf.no-such-page': 'The file has {pages} pages; page {page} does not exist.',
} as const satisfies ErrorVocabulary

export const refusePdf = refuser(pdfErrors)

/** The refusal for a structure that contradicts itself, with its offset. */
export const damaged = (offset: number, reason: string) => refusePdf('pdf.damaged', { offset, reason })

/** The refusal for a structure that exceeds the reader's limits. */
export const tooComplex = (reason: string) => refusePdf('pdf.too-complex', { reason })

/** The refusal for a structure that readers in use understand differently: what one shows, another does not. */
export const ambiguous = (reason: string) => refusePdf('pdf.ambiguous', { reason })
