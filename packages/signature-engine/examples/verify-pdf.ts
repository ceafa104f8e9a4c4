import { readFile } from 'node:fs/promises'
import { createJudge, exchangeOverHttp, RevocationSource, TrustAnchors } from '@chancela/signature-engine/judgement'
import { validatePades } from '@chancela/signature-engine/pades'
import { reportText } from '@chancela/signature-engine/report'
import { readCertificates } from '@chancela/signature-engine/x509'

// A judge knows whom you trust. Make one, and use it for everything: it remembers what it has asked.
const judge = createJudge({
  anchors: TrustAnchors.of(readCertificates(await readFile('roots.pem'))),
  revocation: new RevocationSource(), // asks whether certificates were revoked
  exchange: exchangeOverHttp, // fetches issuers that are missing
})

const report = await validatePades(await readFile('contract.signed.pdf'), { judge, now: new Date() })

console.log(reportText(report, 'en-US')) // for a person
console.log(report.indication) // for a program: 'valid', 'invalid' or 'indeterminate'
console.log(report.signatures.map(({ signer }) => signer?.cpf))
