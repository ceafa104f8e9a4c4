// A token in software (SoftHSM2): a real PKCS#11 module with keys and certificates on it.
//
//   const token = await newSoftToken({ label: 'cartao', pin: '1234', holders: [ana], issuers })
//   await openPkcs11({ module: token.module, token: 'cartao', pin: '1234' })
export { newSoftToken, noticeTokenChange, type SoftToken, type SoftTokenContents } from './soft-token.ts'
