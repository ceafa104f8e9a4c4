import type { SignatureFormat } from './job.ts'
import type { Profile } from './profile.ts'

/** What the name of an output depends on besides the input's. */
interface OutputNaming extends Pick<Profile, 'preserveFileExtension' | 'saveAsPem'> {
  readonly format: SignatureFormat
  readonly encrypted: boolean
}

/** The name of the signed file: suffixes of format, PEM and encryption. */
export function outputName(fileName: string, naming: OutputNaming): string {
  const signed = namers[naming.format](fileName, naming)
  return naming.encrypted ? `${signed}.enc` : signed
}

/** The name under which a rejected file is handed back. */
export const rejectName = (fileName: string, { encrypted }: { readonly encrypted: boolean }): string =>
  `${stem(fileName)}.reject${fileName.slice(stem(fileName).length)}${encrypted ? '.enc' : ''}`

type Namer = (fileName: string, naming: OutputNaming) => string

const namers: Readonly<Record<SignatureFormat, Namer>> = {
  // A signed PDF is a PDF, whatever the name of its input.
  Pades: (fileName) => `${stem(fileName)}.signed.pdf`,
  // With both options the name follows the kept extension and only the content follows PEM.
  Cades: (fileName, { preserveFileExtension, saveAsPem }) =>
    preserveFileExtension ? keepingExtension(fileName) : `${fileName}${saveAsPem ? '.pem' : '.p7m'}`,
  Xades: (fileName, { preserveFileExtension }) =>
    preserveFileExtension ? keepingExtension(fileName) : `${stem(fileName)}.signed.xml`,
}

const keepingExtension = (fileName: string): string =>
  `${stem(fileName)}.signed${fileName.slice(stem(fileName).length)}`

/** The name without its last extension; a name that only begins with a dot has none. */
function stem(fileName: string): string {
  const dot = fileName.lastIndexOf('.')
  return dot > 0 ? fileName.slice(0, dot) : fileName
}
