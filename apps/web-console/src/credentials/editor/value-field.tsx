import { Button, NativeSelect, Textarea, TextInput } from '@mantine/core'
import { Trash2 } from 'lucide-react'
import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormats } from '../../shared/format/use-formats.ts'
import { useLanguage } from '../../shared/i18n/use-language.ts'
import { FileField } from '../../shared/parts/file-field.tsx'
import { fileAsBase64 } from '../../shared/upload/file-as-base64.ts'
import { useEditing, useProblem, useValue } from './editing.tsx'
import classes from './editor.module.css'
import { elementId } from './editor-store.ts'
import { isTime } from './form-data.ts'
import type { ValueField } from './form-types.ts'

export interface ValueProps {
  field: ValueField
  path: string
  /** Instead of its own: the number of an item. */
  label?: string
}

/** Fields that take more than a line. */
const long = ['informacoesAdicionais', 'descricao', 'decisao', 'declaracao']

/** One answer, as the layout wants it. */
export const ValueInput = memo(function ValueInput({ field, path, label = field.label }: ValueProps) {
  const { store } = useEditing()
  const text = String(useValue(path) ?? '')
  const error = useProblem(path, field)
  const set = (value: string) => store.set(path, value)
  if (field.input === 'file') return <Attachment field={field} path={path} label={label} />
  const common = {
    id: elementId(path),
    label,
    error,
    required: field.required,
    description: field.help,
    inputWrapperOrder: ['label', 'input', 'description', 'error'] as ('label' | 'input' | 'description' | 'error')[],
    value: text,
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) => set(currentTarget.value),
  }
  if (field.input === 'choice') return <NativeSelect {...common} data={optionsOf(field)} />
  if (field.input === 'date') return <TextInput {...common} type="date" />
  if (field.input === 'number') return <NumberText {...common} set={set} />
  if (isTime(field)) return <TextInput {...common} type="time" step={1} />
  if (long.includes(field.name)) return <Textarea {...common} className={classes.line!} rows={2} />
  return <TextInput {...common} type={field.input === 'address' ? 'url' : 'text'} />
})

const optionsOf = ({ options = [], optionLabels = options }: ValueField) => [
  { value: '', label: '–' },
  ...options.map((value, at) => ({ value, label: optionLabels[at] ?? value })),
]

type TextProps = Omit<Parameters<typeof TextInput>[0], 'value'> & { value: string }

/** Decimals with the comma of the page's language; what is sent has a dot. */
function NumberText({ set, value, ...input }: TextProps & { set: (value: string) => void }) {
  const { language } = useLanguage()
  const hasComma = language === 'pt-BR'
  return (
    <TextInput
      {...input}
      inputMode="decimal"
      value={hasComma ? value.replace('.', ',') : value}
      onChange={({ currentTarget }) => set(hasComma ? currentTarget.value.replace(',', '.') : currentTarget.value)}
    />
  )
}

/** A file as Base64, with its size. */
function Attachment({ field, path, label = field.label }: ValueProps) {
  const { t } = useTranslation('credentials-editor')
  const { store } = useEditing()
  const { bytes } = useFormats()
  const text = String(useValue(path) ?? '')
  const problem = useProblem(path, field)
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  const size = (text.length / 4) * 3 - padding
  const chosen = text === '' ? undefined : t('file.chosen', { size: bytes(size) })
  return (
    <div className={classes.line} id={elementId(path)} tabIndex={-1}>
      <FileField
        label={label}
        accept=".pdf,application/pdf"
        chosen={chosen}
        onFiles={([file]) => file && void fileAsBase64(file).then((base64) => store.set(path, base64))}
      />
      {problem && <p className={classes.problem}>{problem}</p>}
      {chosen && (
        <Button
          variant="subtle"
          size="xs"
          leftSection={<Trash2 size={14} aria-hidden="true" />}
          onClick={() => store.set(path, '')}
        >
          {t('file.drop')}
        </Button>
      )}
    </div>
  )
}
