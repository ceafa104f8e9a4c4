import { plainAddPlaceholder } from '@signpdf/placeholder-plain'
import { P12Signer } from '@signpdf/signer-p12'
import { SignPdf } from '@signpdf/signpdf'
import type { MakeWork } from '../contestants.ts'
import { requirePdfSignature } from '../outside-judges.ts'
import type { Sample } from '../sample-documents.ts'
import { PKCS12_PASSWORD } from '../signing-world.ts'

/** `@signpdf`, as its documentation shows it: a placeholder, then a signer that opens the PKCS#12 for each document. */
export const signPdf =
  (sample: Sample): MakeWork =>
  ({ rsa: { pkcs12 } }) => {
    const pdf = sample()
    return {
      once: () => {
        const pdfBuffer = plainAddPlaceholder({
          pdfBuffer: pdf,
          reason: '',
          contactInfo: '',
          name: 'Bench',
          location: '',
        })
        // A signer can be used once: it consumes its bytes.
        return new SignPdf().sign(pdfBuffer, new P12Signer(Buffer.from(pkcs12), { passphrase: PKCS12_PASSWORD }))
      },
      check: requirePdfSignature,
    }
  }
