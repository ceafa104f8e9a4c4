// The most common names. Making a string of bytes costs a call out of JavaScript, and a new string must be hashed and
// compared letter by letter in every dictionary; a name from this table costs neither. It is fixed, so no file can fill
// it.

const COMMON_NAMES: readonly string[] = [
  ...['Type', 'Subtype', 'Size', 'Root', 'Prev', 'Info', 'ID', 'XRef', 'XRefStm', 'W', 'Index', 'Length', 'Filter'],
  ...['FlateDecode', 'DecodeParms', 'Predictor', 'Columns', 'ObjStm', 'N', 'First', 'Extends', 'Catalog', 'Pages'],
  ...[
    'Version',
    'Extensions',
    'ADBE',
    'ESIC',
    'BaseVersion',
    'ExtensionLevel',
    'Metadata',
    'Outlines',
    'Names',
    'Dests',
  ],
  ...[
    'PageLabels',
    'PageMode',
    'PageLayout',
    'ViewerPreferences',
    'OpenAction',
    'StructTreeRoot',
    'MarkInfo',
    'Marked',
  ],
  ...['Lang', 'OutputIntents', 'AcroForm', 'Fields', 'SigFlags', 'DR', 'DA', 'NeedAppearances', 'XFA', 'Perms', 'DSS'],
  ...['Page', 'Parent', 'Kids', 'Count', 'MediaBox', 'CropBox', 'BleedBox', 'TrimBox', 'ArtBox', 'Rotate', 'Resources'],
  ...['Contents', 'Annots', 'Group', 'Tabs', 'StructParents', 'StructParent', 'S', 'CS', 'Transparency', 'DeviceRGB'],
  ...['Font', 'XObject', 'ExtGState', 'ColorSpace', 'ProcSet', 'PDF', 'Text', 'ImageB', 'ImageC', 'ImageI', 'Pattern'],
  ...['F1', 'F2', 'F3', 'Type1', 'TrueType', 'Type0', 'BaseFont', 'Helvetica', 'Encoding', 'WinAnsiEncoding'],
  ...['Annot', 'Widget', 'FT', 'Sig', 'Tx', 'Btn', 'Ch', 'T', 'V', 'F', 'Ff', 'Rect', 'P', 'AP', 'MK', 'Lock', 'SV'],
  ...['ByteRange', 'SubFilter', 'Adobe.PPKLite', 'ETSI.CAdES.detached', 'ETSI.RFC3161', 'DocTimeStamp', 'M', 'Name'],
  ...['Location', 'Reason', 'ContactInfo', 'Reference', 'SigRef', 'TransformMethod', 'TransformParams', 'DocMDP'],
  ...['FieldMDP', 'Action', 'Certs', 'CRLs', 'OCSPs', 'VRI', 'Cert', 'CRL', 'OCSP', 'TU', 'Stamp', 'Form', 'BBox'],
  ...['Matrix', 'Image', 'Width', 'Height', 'BitsPerComponent', 'SMask', 'StructElem', 'K', 'Pg', 'ActualText'],
]

const known = new Set(COMMON_NAMES)

/** Whether this is one of the common names, none of which needs escaping. */
export const isCommonName = (name: string): boolean => known.has(name)

/** A power of two with room enough that most slots hold one name or none. */
const SLOTS = 1024

const slots: (readonly string[] | undefined)[] = new Array(SLOTS).fill(undefined)
for (const name of known) {
  let hash = 0
  for (let i = 0; i < name.length; i++) hash = nameHash(hash, name.charCodeAt(i))
  const slot = hash & (SLOTS - 1)
  slots[slot] = [...(slots[slot] ?? []), name]
}

/** One step of the hash for {@link commonName}; it begins with 0. */
export function nameHash(hash: number, byte: number): number {
  return (Math.imul(hash, 31) + byte) | 0
}

/** The common name with these bytes, if there is one; `hash` is that of the bytes. */
export function commonName(bytes: Uint8Array, start: number, end: number, hash: number): string | undefined {
  const candidates = slots[hash & (SLOTS - 1)]
  if (candidates === undefined) return undefined
  for (const name of candidates) if (isSpelt(bytes, start, end, name)) return name
  return undefined
}

function isSpelt(bytes: Uint8Array, start: number, end: number, name: string): boolean {
  if (end - start !== name.length) return false
  for (let i = 0; i < name.length; i++) if (bytes[start + i] !== name.charCodeAt(i)) return false
  return true
}
