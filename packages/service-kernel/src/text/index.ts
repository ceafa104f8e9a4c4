// What services do with texts of others.
export { asOneLine, asPrinted, isOneLine, plainLines, withoutUnseen } from '@chancela/signature-engine/text'
export { fileNameOf } from './file-name.ts'
