import { readFile } from 'node:fs/promises'
import { icpBrasilJudge } from '@chancela/signature-engine/icp-brasil'
import { validatePades } from '@chancela/signature-engine/pades'
import { reportText } from '@chancela/signature-engine/report'
import { readCertificates } from '@chancela/signature-engine/x509'

// A judge knows whom you trust. Make one, and use it for everything: it remembers what it has asked. Without `roots` it
// trusts ICP-Brasil, whose official roots it downloads and knows by their fingerprints.
const judge = await icpBrasilJudge({ downloads: true, roots: readCertificates(await readFile('roots.pem')) })

const report = await validatePades(await readFile('contract.signed.pdf'), { judge, now: new Date() })

console.log(reportText(report, 'en-US')) // for a person
console.log(report.indication) // for a program: 'valid', 'invalid' or 'indeterminate'
console.log(report.signatures.map(({ signer }) => signer?.cpf))
