import { AppError } from '#server/core/errors.ts';

const WRONG_PLACE = 'Choose a directory that exists and that Wirebird’s user can write to.';
const NO_ROOM = 'There is not enough room for it. Make room, or choose a file on another disk.';

/** What to do when the file system refuses a file, by the code of the error. */
const UNWRITABLE: Record<string, string> = {
  ...{
    EACCES: WRONG_PLACE,
    EPERM: WRONG_PLACE,
    ENOENT: WRONG_PLACE,
    ENOTDIR: WRONG_PLACE,
    EROFS: WRONG_PLACE,
  },
  ...{ ENOSPC: NO_ROOM, EDQUOT: NO_ROOM, EFBIG: NO_ROOM },
  ENAMETOOLONG: 'Choose a shorter name.',
};

/** What an operator reads when their new file cannot be written; any other error as it is. */
export function writeRefusal(file: string, error: unknown): unknown {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  if (code === 'EEXIST') return alreadyExists(file);
  const why = UNWRITABLE[code];
  return why ? new AppError('unavailable', `${file} cannot be written. ${why}`) : error;
}

export function alreadyExists(file: string): AppError {
  return new AppError('already_exists', `${file} already exists. Choose another file.`);
}
