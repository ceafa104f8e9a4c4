import { Button, NativeSelect } from '@mantine/core'
import { Stamp, X } from 'lucide-react'
import { useCallback, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '../../shared/icon-button.tsx'
import { MarkBox } from '../pdf/mark-box.tsx'
import { type PageSize, type PlacedMark, placeNew } from '../pdf/mark-geometry.ts'
import { PdfReader } from '../pdf/pdf-reader.tsx'
import classes from './mark-placer.module.css'

/** A signer whose signature can be given a place. */
interface MarkOwner {
  readonly key: string
  readonly name: string
}

/** A mark of a signer on one of the files; its id is the key of the signer and a number. */
export interface OwnedMark extends PlacedMark {
  readonly owner: string
  /** Id of the upload. */
  readonly file: string
}

export interface MarkPlacerProps {
  files: readonly { readonly id: string; readonly name: string; readonly source: File }[]
  owners: readonly MarkOwner[]
  marks: readonly OwnedMark[]
  onChange: (marks: readonly OwnedMark[]) => void
}

/** Places the signers' marks on the pages of the files. */
export function MarkPlacer({ files, owners, marks, onChange }: MarkPlacerProps) {
  const { t } = useTranslation('documents-new')
  const [chosen, setChosen] = useState(files[0]!.id)
  const file = files.find(({ id }) => id === chosen) ?? files[0]!
  const [front, setFront] = useState<{ page: number; size: PageSize }>()
  const onPage = useCallback((page: number, size: PageSize) => setFront({ page, size }), [])
  const [fresh, setFresh] = useState<string>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: new is only what the last change brought
  useEffect(() => setFresh(undefined), [marks])
  const here = marks.filter((mark) => mark.file === file.id)
  const nameOf = (mark: OwnedMark) => owners.find(({ key }) => key === mark.owner)?.name ?? ''
  const change = (mark: OwnedMark) => onChange(marks.map((one) => (one.id === mark.id ? mark : one)))
  const remove = (mark: OwnedMark) => onChange(marks.filter((one) => one.id !== mark.id))
  const add = (owner: string) => {
    if (!front) return
    const id = markId(owner, marks.filter((mark) => mark.owner === owner).length)
    setFresh(id)
    onChange([...marks, { ...placeNew(id, front.page, front.size, here), owner, file: file.id }])
  }
  return (
    <div className={classes.placer}>
      <div className={classes.side}>
        {files.length > 1 && (
          <NativeSelect
            label={t('marks.file')}
            data={files.map(({ id, name }) => ({ value: id, label: name }))}
            value={file.id}
            onChange={({ currentTarget }) => setChosen(currentTarget.value)}
          />
        )}
        {owners.map(({ key, name }) => (
          <Button
            key={key}
            variant="default"
            disabled={!front}
            justify="flex-start"
            leftSection={<Stamp size={16} aria-hidden="true" />}
            onClick={() => add(key)}
          >
            {t('marks.add', { name, page: front?.page ?? 1 })}
          </Button>
        ))}
        {here.length > 0 && (
          <ul className={classes.marks} aria-label={t('marks.list')}>
            {here.map((mark) => (
              <li key={mark.id} className={classes.mark}>
                {t('marks.on', { name: nameOf(mark), page: mark.pageNumber })}
                <IconButton icon={X} label={t('marks.remove', { name: nameOf(mark) })} onClick={() => remove(mark)} />
              </li>
            ))}
          </ul>
        )}
      </div>
      <PdfReader
        key={file.id}
        source={file.source}
        onPage={onPage}
        overlay={(pageNumber, page) =>
          here
            .filter((mark) => mark.pageNumber === pageNumber)
            .map((mark) => (
              <MarkBox
                key={mark.id}
                mark={mark}
                page={page}
                name={nameOf(mark)}
                isNew={mark.id === fresh}
                onChange={(placed) => change({ ...mark, ...placed })}
                onRemove={() => remove(mark)}
              />
            ))
        }
      />
    </div>
  )
}

/** The id of a signer's mark, counted from 0. */
export const markId = (owner: string, number: number): string => `${owner}-${number}`
