// Positions that clients ask for by name (pki-core facts 4). The original's measures are not public: these are ours.
import type { PositionRequest } from '../contract/visual-representation.ts'

const MARGIN = 1.5
const SIZE = { width: 6, height: 3 }
const LAST_PAGE = -1
const NEW_PAGE = 0

/** In centimeters of an A4 page, row by row. */
const rows = (
  pageNumber: number,
  container: NonNullable<PositionRequest['auto']>['container'],
  verticalDirection: 'TopDown' | 'BottomUp',
): PositionRequest => ({
  pageNumber,
  measurementUnits: 'Centimeters',
  pageOptimization: { paperSize: 'A4', pageOrientation: 'Auto' },
  auto: {
    container,
    signatureRectangleSize: SIZE,
    horizontalDirection: 'LeftToRight',
    verticalDirection,
    rowSpacing: 0,
  },
  manual: null,
})

export const footnote = (pageNumber: number = LAST_PAGE, count = 1): PositionRequest =>
  rows(pageNumber, { left: MARGIN, right: MARGIN, bottom: MARGIN, height: count * SIZE.height }, 'TopDown')

export const footnoteBottomUp = (pageNumber: number = LAST_PAGE): PositionRequest =>
  rows(pageNumber, { left: MARGIN, right: MARGIN, bottom: MARGIN, top: MARGIN }, 'BottomUp')

export const newPage = (): PositionRequest =>
  rows(NEW_PAGE, { left: MARGIN, right: MARGIN, bottom: MARGIN, top: MARGIN }, 'TopDown')
