// What `chancela-agent tokens` says.
import { certificateLine } from '../certificate-line.ts'
import type { Finding, FoundToken, SeenReader } from './find-tokens.ts'

export function sentencesOf({ readers, tokens, problems }: Finding): readonly string[] {
  return [
    ...(readers === undefined
      ? [UNTOLD]
      : readers.length === 0
        ? ['No reader is connected.']
        : readers.map(readerSentence)),
    ...tokens.flatMap(ofToken),
    ...(tokens.length === 0 ? ['No token shows itself in the installed modules.'] : []),
    ...problems,
  ]
}

const UNTOLD = 'What readers hold cannot be told: opensc-tool is not here. Every usual module was tried instead.'

/** A reader with its card, and what to install where nothing here knows it. */
export function readerSentence({ name, atr, card, middleware, isInstalled }: SeenReader): string {
  if (atr === undefined) return `${name}: no card.`
  if (!card) return `${name}: an unknown card, ${atr}. Its vendor’s PKCS#11 module is added by its path.`
  const [vendors] = middleware
  const whose = `${name}: ${card.name}`
  if (isInstalled) return `${whose}.`
  const others = middleware.slice(1).map(({ software }) => software)
  const instead = others.length === 0 ? '' : ` (or ${others.join(', ')})`
  return `${whose}. Its module is missing: install ${vendors!.software} of ${vendors!.vendor}${instead}, which the certification authority that sold it also offers.`
}

function ofToken({ info, module, middleware, certificates }: FoundToken): readonly string[] {
  const maker = [info.manufacturer, info.model].filter((part) => part !== '').join(' ')
  const lines = certificates.map((certificate) => `   ${certificateLine(certificate)}`)
  return [
    `Token ${info.label} (${maker}), through ${middleware.software}: ${module}`,
    ...(lines.length > 0 ? lines : ['   without a certificate that signs']),
  ]
}
