import { useCallback } from 'react'
import type { ParticipantAction } from '../api/types.ts'
import { MarkBox } from '../pdf/mark-box.tsx'
import { asPlaced, type PageSize } from '../pdf/mark-geometry.ts'
import { PdfReader } from '../pdf/pdf-reader.tsx'
import { localAddress } from './local-address.ts'
import type { PageOptions } from './page-options.ts'
import classes from './participant.module.css'
import type { OwnMark } from './use-own-mark.ts'

export interface ReadingPanelProps {
  data: ParticipantAction
  options: PageOptions
  own: OwnMark
  onPage: (front: { page: number; size: PageSize }) => void
}

/** The document to read, with earlier signatures, and where this one will be seen. */
export function ReadingPanel({ data, options, own, onPage }: ReadingPanelProps) {
  const { action, contentLocation, signedContentLocation } = data
  const { name } = action.participant
  const report = useCallback((page: number, size: PageSize) => onPage({ page, size }), [onPage])
  const fixed = action.marks.map((mark, at) => asPlaced(mark, `fixed-${at}`))
  return (
    <div className={classes.reading}>
      <PdfReader
        source={localAddress(signedContentLocation ?? contentLocation)}
        startPage={options.page}
        startZoom={options.scale}
        onPage={report}
        overlay={(pageNumber, page) => (
          <>
            {fixed
              .filter((mark) => mark.pageNumber === pageNumber)
              .map((mark) => (
                <MarkBox key={mark.id} mark={mark} page={page} name={name} />
              ))}
            {own.mark?.pageNumber === pageNumber && (
              <MarkBox
                mark={own.mark}
                page={page}
                name={name}
                isNew={own.isNew}
                onChange={own.move}
                onRemove={own.remove}
              />
            )}
          </>
        )}
      />
    </div>
  )
}
