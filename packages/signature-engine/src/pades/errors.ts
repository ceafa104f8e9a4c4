import { type ErrorVocabulary, refuser } from '../errors/engine-error.ts'

/** Why a PDF is not signed, or not extended. */
export const padesErrors = {
  'pades.locked': 'An earlier signature forbids this change: {reason}.',
  'pades.certification-not-first': 'Only the first signature of a document can certify it.',
  'pades.field-signed': 'The signature field {field} is already signed.',
  'pades.field-not-signature': 'The form field {field} is no signature field.',
  'pades.field-name': 'The field name {field} cannot be used: it is empty, or has a full stop.',
  'pades.field-exists': 'There is a form field {field} already.',
  'pades.field-data': 'The signature fields cannot be made: {member} {reason}.',
  'pades.seed-value': 'The signature field {field} asks for something else by {entry}: {reason}.',
  'pades.seed-unsupported': 'The signature field {field} requires by {entry} what cannot be given here.',
  'pades.reason-with-policy': 'A reason cannot stand beside a signature policy (EN 319 142-1): leave one out.',
  'pades.reason-with-commitment': 'A reason cannot stand beside a commitment (EN 319 142-1): leave one out.',
  'pades.level-unknown': 'The level {level} does not exist for PDF signatures.',
  'pades.timestamps-missing': 'The level {level} needs a timestamp client.',
  'pades.judge-missing': 'The level {level} needs a judge to collect validation data.',
  'pades.hole-too-small': 'The signature has {needed} bytes, but only {reserved} were reserved for it.',
  'pades.no-room-for-timestamp': 'The signature cannot take a timestamp any more: {reason}.',
  'pades.digest-state': 'The digest state carried on is not of the algorithm {digest}.',
  'pades.no-signature': 'The document has no signature that could be extended.',
  'pades.signature-unreadable': 'The signature in field {field} cannot be read.',
  'pades.mark-outside-page':
    'The mark at {box} (x, y, width, height) does not lie within what is shown of page {page}, {shown} points.',
  'pades.field-not-shown': 'The signature field {field} has no place on a page, so that it cannot show anything.',
  'pades.text-does-not-fit':
    'The text of the mark does not fit into its {width} by {height} points, even in letters of {least} points.',
  'pades.mark-template': 'The template of the mark cannot be used: {member} {reason}.',
  'pades.appearance': 'The visible signature cannot be drawn: {reason}.',
} as const satisfies ErrorVocabulary

export const refusePades = refuser(padesErrors)
