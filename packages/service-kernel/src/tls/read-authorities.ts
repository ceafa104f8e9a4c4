import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { StartupProblem } from '../errors/index.ts'

/** The certificates of the authorities in a PEM file, or one sentence about the setting that names it. */
export function readAuthorities(file: string, setting: string): string {
  try {
    const pem = readFileSync(file, 'utf8')
    // Of a file without a certificate TLS would trust nobody, and say so only at the first call.
    new X509Certificate(pem)
    return pem
  } catch (error) {
    const sentence = `The file ${file} holds no certificate in PEM that can be read.`
    throw new StartupProblem(`${setting}: ${sentence}`, { setting, cause: error })
  }
}
