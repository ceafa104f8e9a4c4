import { readFile } from 'node:fs/promises'
import { createJudge, exchangeOverHttp, RevocationSource, TrustAnchors } from '@chancela/signature-engine/judgement'
import { reportText } from '@chancela/signature-engine/report'
import { anchorsOf, openTrustedList } from '@chancela/signature-engine/trusted-lists'
import { verify } from '@chancela/signature-engine/verify'
import { readCertificates } from '@chancela/signature-engine/x509'

// Who signs a list is published elsewhere: in an official journal, or in the list of lists.
const signers = readCertificates(await readFile('operator.pem'))
const list = await openTrustedList(await readFile('trusted-list.xml'), { signers, now: new Date() })

// Every service is trusted for what was signed while its status was granted.
const judge = createJudge({
  anchors: TrustAnchors.of(anchorsOf(list, ['CA/QC'])),
  revocation: new RevocationSource(),
  exchange: exchangeOverHttp,
})
const report = await verify(await readFile('contract.signed.pdf'), { judge, now: new Date() })
console.log(list.territory, list.sequence, reportText(report, 'en-US'))
