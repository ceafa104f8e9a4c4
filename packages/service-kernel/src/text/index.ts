// What services do with texts of others.
export { asOneLine, asPrinted, isOneLine, plainLines, withoutUnseen } from '@chancela/signature-engine/text'
export { decodeBase64 } from './base64.ts'
export { fileNameOf } from './file-name.ts'
