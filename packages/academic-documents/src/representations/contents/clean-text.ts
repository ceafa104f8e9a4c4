import { asPrinted } from '@chancela/signature-engine/text'

/** Control and format characters must not break lines, turn the direction of the text or spoil the metadata. */
export const cleanText = asPrinted
