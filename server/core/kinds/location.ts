import { LIMITS } from '../limits.ts';
import { kind } from './kind.ts';

export const location = kind({
  fields: {
    latitude: (f) =>
      f
        .requiredNumber({ field: 'latitude', min: -90, max: 90 })
        .meta({ description: 'Degrees, north is positive.' }),
    longitude: (f) =>
      f
        .requiredNumber({ field: 'longitude', min: -180, max: 180 })
        .meta({ description: 'Degrees, east is positive.' }),
    name: (f) =>
      f.optionalText({ field: 'name', charsMax: LIMITS.placeChars }).meta({ description: 'Place name.' }),
    address: (f) =>
      f
        .optionalText({ field: 'address', charsMax: LIMITS.placeChars })
        .meta({ description: 'Address of the place.' }),
  },
  preview: ({ latitude, longitude, name, address }) =>
    [name, address].filter(Boolean).join(', ') || `${latitude}, ${longitude}`,
  example: () => ({
    latitude: 53.5503,
    longitude: 9.992,
    name: 'Town hall',
    address: 'Rathausmarkt 1, 20095 Hamburg',
  }),
  summary: 'Send a location',
  description: 'A point on the map, optionally with the name and address of the place.',
});
