import { readFile } from 'node:fs/promises'
import { TrustAnchors } from '@chancela/signature-engine/judgement'
import { verify } from '@chancela/signature-engine/verify'
import { readCertificates } from '@chancela/signature-engine/x509'

const anchors = TrustAnchors.of(readCertificates(await readFile('roots.pem')))
const report = await verify(await readFile('contract.signed.pdf'), { anchors, now: new Date() })
console.log(report.format, report.indication)
