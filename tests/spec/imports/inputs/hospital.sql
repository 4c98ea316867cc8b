-- A clinic's booking system, as pg_dump --schema-only writes it, with hand-written parts.
SET statement_timeout = 0;
SET client_encoding = 'UTF8';
SELECT pg_catalog.set_config('search_path', '', false);

CREATE EXTENSION IF NOT EXISTS "uuid-ossp";

CREATE TYPE public.appointment_status AS ENUM (
    'requested',
    'confirmed',
    'checked_in',
    'done',
    'cancelled'
);

CREATE TABLE public.clinics (
    id uuid DEFAULT public.uuid_generate_v4() NOT NULL,
    name character varying(120) NOT NULL,
    city text NOT NULL,
    opening_hours jsonb,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE public.departments (
    id uuid NOT NULL,
    clinic_id uuid NOT NULL,
    name text NOT NULL
);

CREATE TABLE public.doctors (
    id uuid NOT NULL,
    department_id uuid NOT NULL REFERENCES public.departments(id),
    licence_number varchar(32) NOT NULL UNIQUE,
    full_name text NOT NULL,
    email text NOT NULL,
    active boolean DEFAULT true NOT NULL,
    hourly_rate numeric(10,2),
    PRIMARY KEY (id)
);

CREATE TABLE public.patients (
    id bigserial PRIMARY KEY,
    insurance_number text NOT NULL,
    full_name text NOT NULL,
    born_on date NOT NULL,
    email text,
    phone text,
    created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE public.rooms (
    clinic_id uuid NOT NULL,
    room_number integer NOT NULL,
    kind text NOT NULL CHECK (kind IN ('examination', 'surgery', 'lab')),
    CONSTRAINT rooms_pkey PRIMARY KEY (clinic_id, room_number)
);

CREATE TABLE public.appointments (
    id uuid PRIMARY KEY,
    doctor_id uuid NOT NULL,
    patient_id bigint NOT NULL,
    starts_at timestamptz NOT NULL,
    duration_minutes int NOT NULL DEFAULT 15,
    status public.appointment_status DEFAULT 'requested' NOT NULL,
    notes text,
    created_at timestamptz NOT NULL
);

CREATE TABLE public.prescriptions (
    id uuid PRIMARY KEY,
    appointment_id uuid NOT NULL,
    drug text NOT NULL,
    dose text NOT NULL,
    expires_at timestamptz
);

CREATE TABLE public.invoices (
    id uuid PRIMARY KEY,
    appointment_id uuid NOT NULL UNIQUE,
    patient_id bigint NOT NULL,
    amount_cents bigint NOT NULL,
    status text DEFAULT 'open' NOT NULL,
    due_on date NOT NULL,
    created_at timestamptz NOT NULL,
    CONSTRAINT invoices_status_check CHECK ((status = ANY (ARRAY['open'::text, 'paid'::text, 'overdue'::text])))
);

CREATE TABLE public.specialities (
    id serial PRIMARY KEY,
    name text UNIQUE NOT NULL
);

CREATE TABLE public.doctor_specialities (
    doctor_id uuid NOT NULL,
    speciality_id integer NOT NULL,
    since date
);

COPY public.specialities (id, name) FROM stdin;
1	Cardiology
2	Dermatology
\.

ALTER TABLE ONLY public.clinics ADD CONSTRAINT clinics_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.departments ADD CONSTRAINT departments_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.doctor_specialities
    ADD CONSTRAINT doctor_specialities_pkey PRIMARY KEY (doctor_id, speciality_id);
ALTER TABLE ONLY public.doctors ADD CONSTRAINT doctors_email_key UNIQUE (email);
CREATE UNIQUE INDEX patients_insurance ON public.patients USING btree (insurance_number);
CREATE INDEX appointments_by_doctor ON public.appointments USING btree (doctor_id, starts_at);
CREATE INDEX appointments_by_patient ON public.appointments (patient_id, starts_at DESC);
CREATE INDEX invoices_by_status ON public.invoices (status, due_on);
CREATE INDEX patients_by_name ON public.patients (lower(full_name));

ALTER TABLE ONLY public.departments
    ADD CONSTRAINT departments_clinic_fkey FOREIGN KEY (clinic_id) REFERENCES public.clinics(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.rooms
    ADD CONSTRAINT rooms_clinic_fkey FOREIGN KEY (clinic_id) REFERENCES public.clinics(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.appointments
    ADD CONSTRAINT appointments_doctor_fkey FOREIGN KEY (doctor_id) REFERENCES public.doctors(id);
ALTER TABLE ONLY public.appointments
    ADD CONSTRAINT appointments_patient_fkey FOREIGN KEY (patient_id) REFERENCES public.patients(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.prescriptions
    ADD CONSTRAINT prescriptions_appointment_fkey FOREIGN KEY (appointment_id) REFERENCES public.appointments(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.invoices
    ADD CONSTRAINT invoices_appointment_fkey FOREIGN KEY (appointment_id) REFERENCES public.appointments(id);
ALTER TABLE ONLY public.invoices
    ADD CONSTRAINT invoices_patient_fkey FOREIGN KEY (patient_id) REFERENCES public.patients(id);
ALTER TABLE ONLY public.doctor_specialities
    ADD CONSTRAINT ds_doctor_fkey FOREIGN KEY (doctor_id) REFERENCES public.doctors(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.doctor_specialities
    ADD CONSTRAINT ds_speciality_fkey FOREIGN KEY (speciality_id) REFERENCES public.specialities(id);

GRANT SELECT ON TABLE public.clinics TO reporting;
