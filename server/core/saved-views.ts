/** The lists whose filters can be saved. */
export const VIEW_LISTS = ['messages', 'requests'] as const;
export type ViewList = (typeof VIEW_LISTS)[number];

/** Filters of a list under a name that a member chose. */
export interface SavedView {
  name: string;
  /** As in the address, without the question mark. */
  query: string;
}

export type SavedViews = Partial<Record<ViewList, SavedView[]>>;

/** For one list of one account. */
export const VIEWS_MAX = 20;
/** In characters. */
export const VIEW_NAME_MAX = 40;
export const VIEW_QUERY_MAX = 1000;

/** Adds a view, in the order of names. A view of the same name is replaced. */
export const withView = (views: readonly SavedView[], view: SavedView): SavedView[] =>
  [...withoutView(views, view), view].toSorted((one, other) => one.name.localeCompare(other.name, 'en'));

export const withoutView = (views: readonly SavedView[], { name }: Pick<SavedView, 'name'>): SavedView[] =>
  views.filter((one) => one.name !== name);
