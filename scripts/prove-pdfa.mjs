// `npm run prove:pdfa`: the visual representations before a validator of PDF/A-1b that others wrote (PDFBox Preflight).
import { existsSync } from 'node:fs'
import { ensureInstalled } from './steps/install.mjs'
import { requireNode } from './steps/node-version.mjs'
import { passThrough } from './steps/run-command.mjs'
import { Hindrance, runScript } from './steps/say.mjs'
import { ensureSystemTools } from './steps/system-tools.mjs'

/** PDFBox Preflight and what it needs of older versions of Java, with the Debian package of each.
 * @type {Readonly<Record<string, string>>} */
const packages = {
  preflight: 'libpdfbox2-java',
  'javax.activation': 'libactivation-java',
  'jaxb-api': 'libjaxb-api-java',
}

await runScript(async () => {
  requireNode()
  await ensureInstalled('everything')
  await ensureSystemTools(['java', 'qpdf', 'pdftotext'])
  const missing = Object.keys(packages).filter((jar) => !existsSync(`/usr/share/java/${jar}.jar`))
  if (missing.length > 0)
    throw new Hindrance(
      `The validator is missing: on Debian, apt-get install ${missing.map((jar) => packages[jar]).join(' ')}.`,
    )
  return passThrough('npx', ['vitest', 'run', '--project', 'proofs', 'prove-pdfa'])
})
