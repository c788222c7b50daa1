//! The velocity filter: momentum, holding, sliding, and its residual.

mod contact_common;

use asperity_friction::section::{Composition, FrictionTensors};
use asperity_friction::set::{Disk, Set, Tensor};
use asperity_friction::surface::{Surface, SurfaceTensor, TextureMap, Wrap};
use asperity_friction::{Law, LoadRule, Rheology};
use asperity_soft::contact::{
    ContactGeometry, ContactStage, Contacts, FrictionLaws, FrictionRule, Motion, StageReport, Step,
    VelocityFilter, VertexFrames,
};
use contact_common::{Plane, angular, found, linear, sheet, sheets, single, tensor_law};
use glamx::{DMat2, DMat3, DVec2, DVec3};

const G: f64 = 9.81;

#[test]
fn momentum_is_kept_and_the_torque_of_friction_is_told() {
    let (mut detector, x, v, inverse) = sheets();
    let contacts = found(&mut detector, &x, &v, 0.01);
    assert!(contacts.list.len() > 50);
    let size: f64 = v.iter().zip(&inverse).map(|(v, m)| v.length() / m).sum();
    let q = Tensor::linear(DMat2::from_cols_array(&[0.2, 0.1, -0.05, 0.5])).unwrap();
    for laws in [vec![], vec![Law::from(q); contacts.list.len()]] {
        let mut after = v.clone();
        let mut filter = VelocityFilter::default();
        let report = filter.apply(&contacts, &laws, &inverse, &mut after, 0.01).unwrap();
        assert!(report.active > 20);
        let change = linear(&after, &inverse).distance(linear(&v, &inverse));
        assert!(change <= 1e-10 * size, "linear momentum: {change}");
        let turned = angular(&x, &after, &inverse) - angular(&x, &v, &inverse);
        assert!(turned.distance(report.torque) <= 1e-10 * size, "{turned} {}", report.torque);
        if laws.is_empty() {
            assert!(report.torque.length() <= 1e-10 * size, "normal impulses turn nothing");
        }
        let energy = |v: &[DVec3]| {
            v.iter().zip(&inverse).map(|(v, m)| 0.5 * v.length_squared() / m).sum::<f64>()
        };
        assert!(energy(&after) < energy(&v));
    }
}

/// A patch of vertices on the ground, pulled by a force per mass along the ground and down.
struct Patch {
    stage: ContactStage,
    x: Vec<DVec3>,
    v: Vec<DVec3>,
    inverse: Vec<f64>,
    a: Surface,
    b: Surface,
}

impl Patch {
    fn new(cloth: SurfaceTensor, ground: SurfaceTensor) -> Patch {
        let (x, uvs, triangles) = sheet(0.1, 3, 0.001, 0);
        let frames = VertexFrames::new(&triangles, &uvs).unwrap();
        let stage = ContactStage::new(single(x.len(), &triangles, 0.001), frames);
        Patch {
            stage,
            v: vec![DVec3::ZERO; x.len()],
            inverse: vec![1000.0; x.len()],
            x,
            a: Surface::new("ground").with_tensor(ground),
            b: Surface::new("cloth").with_tensor(cloth),
        }
    }

    fn step(&mut self, force: DVec3, dt: f64, model: FrictionTensors) -> StageReport {
        let (a, b) = (self.a.clone(), self.b.clone());
        self.step_by(force, dt, |g: &ContactGeometry| tensor_law(model, &a, &b, g))
    }

    fn step_by(&mut self, force: DVec3, dt: f64, laws: impl FrictionLaws) -> StageReport {
        let begin = self.v.clone();
        for v in &mut self.v {
            *v += force * dt;
        }
        let step = Step {
            positions: &mut self.x,
            velocities: &mut self.v,
            begin_velocities: &begin,
            inverse_masses: &self.inverse,
            obstacles: &[&Plane::ground()],
            dt,
        };
        self.stage.step(step, laws).unwrap()
    }
}

/// Q of the pair is that of one surface: twice as much there, nothing on the other.
fn pair_of(q: [f64; 2]) -> [SurfaceTensor; 2] {
    let tensor = |f: f64| SurfaceTensor::orthotropic(f * q[0], f * q[1]).unwrap();
    [tensor(2.0), tensor(0.0)]
}

fn additive() -> FrictionTensors {
    FrictionTensors::new(Composition::default()).unwrap()
}

#[test]
fn it_starts_to_slide_at_the_angle_that_the_tensor_says() {
    let q = [0.2, 0.5];
    for heading in [0.0, 90.0, 45.0_f64, 20.0, 135.0] {
        let e = DVec2::from_angle(heading.to_radians());
        // tan α = 1/‖Q⁻¹e‖
        let limit = (1.0 / DVec2::new(e.x / q[0], e.y / q[1]).length()).atan().to_degrees();
        if heading == 45.0 {
            assert!((limit - 14.71).abs() < 0.005);
        }
        for swap in [false, true] {
            for (off, slides) in [(-0.02, false), (0.02, true)] {
                let angle = (limit + off).to_radians();
                let [mut cloth, mut ground] = pair_of(q);
                if swap {
                    std::mem::swap(&mut cloth, &mut ground);
                }
                let mut patch = Patch::new(cloth, ground);
                let force = DVec3::new(e.x * angle.sin(), e.y * angle.sin(), -angle.cos()) * G;
                for _ in 0..50 {
                    let report = patch.step(force, 0.001, additive());
                    assert!(report.residual.unwrap() <= 1e-9, "{:?}", report.residual);
                }
                let speed = patch.v.iter().map(|v| v.length()).fold(0.0, f64::max);
                assert_eq!(speed > 1e-9, slides, "{heading}°, {off}: {speed}");
            }
        }
    }
}

#[test]
fn friction_as_printed_leaves_a_rest_of_slip_off_the_axes() {
    let angle = 10.0_f64.to_radians();
    let e = DVec2::from_angle(45.0_f64.to_radians());
    let force = DVec3::new(e.x * angle.sin(), e.y * angle.sin(), -angle.cos()) * G;
    for (rule, creeps) in [(FrictionRule::Exact, false), (FrictionRule::AsPrinted, true)] {
        let [cloth, ground] = pair_of([0.2, 0.5]);
        let mut patch = Patch::new(cloth, ground);
        patch.stage.filter.friction = rule;
        let mut worst = 0.0_f64;
        for _ in 0..20 {
            worst = worst.max(patch.step(force, 0.001, additive()).residual.unwrap());
        }
        let speed = patch.v.iter().map(|v| v.length()).fold(0.0, f64::max);
        assert_eq!(speed > 1e-6, creeps, "{rule:?}: {speed}");
        assert_eq!(worst > 1e-6, creeps, "{rule:?}: {worst}");
    }
}

#[test]
fn it_heads_where_the_equation_of_motion_sends_a_point() {
    let q = [0.2, 0.5];
    let angle = 35.0_f64.to_radians();
    let e = DVec2::from_angle(0.5);
    let [cloth, ground] = pair_of(q);
    let mut patch = Patch::new(cloth, ground);
    let force = DVec3::new(e.x * angle.sin(), e.y * angle.sin(), -angle.cos()) * G;
    let start = patch.x[5];
    for _ in 0..1000 {
        patch.step(force, 0.001, additive());
    }
    let moved = patch.x[5] - start;
    // Eq. 3 as an equation of motion: v̇ = g sin α e − g cos α Q v̂, with small steps.
    let (mut v, mut x) = (e * 1e-9, DVec2::ZERO);
    let dt = 1e-6;
    for _ in 0..1_000_000 {
        let u = v.normalize();
        let a = e * (G * angle.sin()) - DVec2::new(q[0] * u.x, q[1] * u.y) * (G * angle.cos());
        v += a * dt;
        x += v * dt;
    }
    let off = DVec2::new(moved.x, moved.y).angle_to(x).to_degrees();
    assert!(off.abs() < 0.05, "{off}°");
    assert!((moved.truncate().length() / x.length() - 1.0).abs() < 5e-3);
}

#[test]
fn sliding_distances_one_way_and_back_are_as_the_tensors() {
    // With the nap 0.1, against it 0.4: distances as 4 to 1.
    let nap = |f: f64| {
        let along = |mu: f64| DMat2::from_diagonal(DVec2::new(f * mu, f * 0.3));
        SurfaceTensor::asymmetric(along(0.1), along(0.4)).unwrap()
    };
    for on_cloth in [false, true] {
        let mut distances = [0.0; 2];
        for (sense, distance) in [1.0, -1.0].into_iter().zip(&mut distances) {
            let (full, none) = (nap(2.0), nap(0.0));
            let mut patch = if on_cloth { Patch::new(full, none) } else { Patch::new(none, full) };
            patch.v.fill(DVec3::X * sense);
            let start = patch.x[0].x;
            for _ in 0..1500 {
                patch.step(DVec3::Z * -G, 0.001, additive());
            }
            assert!(patch.v.iter().all(|v| *v == DVec3::ZERO), "it stops and stays");
            *distance = (patch.x[0].x - start).abs();
        }
        // On the cloth the other surface slides by −v.
        let ratio =
            if on_cloth { distances[1] / distances[0] } else { distances[0] / distances[1] };
        assert!((ratio / 4.0 - 1.0).abs() < 0.01, "{distances:?}");
        let expected = 1.0 / (2.0 * 0.1 * G);
        assert!((distances[usize::from(on_cloth)] / expected - 1.0).abs() < 0.01);
    }
}

#[test]
fn a_stripe_that_is_crossed_fast_counts_by_its_line_integral() {
    // A stripe ten times as rough, 16 of 64 texels of a texture 0.2 m wide.
    let texels = (0..64).map(|i| [if (24..40).contains(&i) { 1.0 } else { 0.1 }; 4]).collect();
    let map = TextureMap::new(64, 1, texels, DVec2::splat(0.2), Wrap::Repeat).unwrap();
    let ground = SurfaceTensor::isotropic(1.0).unwrap().with_map(map).unwrap();
    let cloth = SurfaceTensor::isotropic(0.0).unwrap();
    let mut patch = Patch::new(cloth, ground);
    // 0.2 m in a step: the whole period, wherever it begins; μ = κ (0.25·1 + 0.75·0.1).
    patch.v.fill(DVec3::X * 20.0);
    patch.step(DVec3::Z * -G, 0.01, additive());
    let mu = 0.5 * (0.25 + 0.75 * 0.1);
    for v in &patch.v {
        let felt = (20.0 - v.x) / (G * 0.01);
        assert!((felt / mu - 1.0).abs() < 0.01, "{felt}, {mu}");
    }
}

#[test]
fn turning_one_surface_turns_its_tensor() {
    // Cloth laid on the ground by an angle: R Q Rᵀ with the sense of the turn.
    let turn = 0.4_f64;
    let (x, uvs, triangles) = sheet(0.1, 3, 0.001, 0);
    let spin = |p: DVec3| {
        let flat = DVec2::from_angle(turn).rotate(p.truncate());
        DVec3::new(flat.x, flat.y, p.z)
    };
    let x: Vec<DVec3> = x.into_iter().map(spin).collect();
    let mut frames = VertexFrames::new(&triangles, &uvs).unwrap();
    frames.update(&x).unwrap();
    let detector = single(x.len(), &triangles, 0.001);
    let still = vec![DVec3::ZERO; x.len()];
    let mut contacts = Contacts::default();
    let motion = Motion { positions: &x, velocities: &still, dt: 0.01 };
    detector.find_obstacles(&[&Plane::ground()], &motion, &mut contacts).unwrap();
    assert_eq!(contacts.list.len(), x.len());
    let [cloth, ground] = pair_of([0.2, 0.5]);
    let (a, b) =
        (Surface::new("ground").with_tensor(ground), Surface::new("cloth").with_tensor(cloth));
    let r = DMat2::from_angle(turn);
    let expected = r * DMat2::from_diagonal(DVec2::new(0.2, 0.5)) * r.transpose();
    for k in 0..contacts.list.len() {
        let g = contacts.geometry(k, &frames, [&still, &still], 0.01).unwrap();
        let Set::Tensor(t) = tensor_law(additive(), &a, &b, &g) else { panic!("a tensor") };
        let world = |v: DVec2| {
            let in_plane = g.frame.to_plane(DVec3::new(v.x, v.y, 0.0));
            g.frame.to_world(t.map(in_plane)).truncate()
        };
        for v in [DVec2::X, DVec2::Y] {
            assert!(world(v).distance(expected * v) < 1e-12);
        }
        assert!(g.axes[1].uv.distance(uvs[k]) < 1e-12);
    }
}

#[test]
fn a_constant_load_brakes_alike_whatever_presses() {
    // 0.02 N at every vertex of a gram: 0.3 · 20 m/s² where it touches, nothing where it is lifted.
    let disk = Set::from(Disk::new(0.3).unwrap());
    let law = Law { load: LoadRule::Constant(0.02), ..Law::from(disk) };
    for (press, braking) in [(1.0, 6.0), (7.0, 6.0), (-1.0, 0.0)] {
        let [cloth, ground] = pair_of([0.2, 0.5]);
        let mut patch = Patch::new(cloth, ground);
        patch.v.fill(DVec3::X);
        for _ in 0..50 {
            patch.step_by(DVec3::Z * -press, 0.001, |_: &ContactGeometry| law.clone());
        }
        for v in &patch.v {
            let found = (1.0 - v.x) / 0.05;
            assert!((found - braking).abs() < 1e-9, "pressed by {press}: {found} m/s²");
        }
    }
}

#[test]
fn bad_input_is_refused_or_left_alone() {
    let (mut detector, x, mut v, inverse) = sheets();
    let contacts = found(&mut detector, &x, &v, 0.01);
    let mut filter = VelocityFilter::default();
    let one = vec![Law::from(Disk::new(0.3).unwrap())];
    assert!(filter.apply(&contacts, &one, &inverse, &mut v, 0.01).is_err());
    let joint = vec![Law::from(Set::Free(3)); contacts.list.len()];
    assert!(filter.apply(&contacts, &joint, &inverse, &mut v, 0.01).is_err());
    let drag = Rheology { bias: DVec3::ZERO, compliance: DMat3::ZERO, drag: DMat3::IDENTITY };
    let law = Law { rheology: Some(Box::new(drag)), ..one[0].clone() };
    let drags = vec![law; contacts.list.len()];
    assert!(filter.apply(&contacts, &drags, &inverse, &mut v, 0.01).is_err());
    assert!(filter.apply(&contacts, &[], &inverse[1..], &mut v, 0.01).is_err());
    assert!(filter.apply(&contacts, &[], &inverse[..9], &mut v[..9], 0.01).is_err());
    for dt in [0.0, -1.0, f64::NAN] {
        assert!(filter.apply(&contacts, &[], &inverse, &mut v, dt).is_err());
    }
    let touched = contacts.list[0].vertices[3] as usize;
    v[touched] = DVec3::splat(f64::NAN);
    let report = filter.apply(&contacts, &[], &inverse, &mut v, 0.01).unwrap();
    assert!(report.skipped > 0);
    assert_eq!(v.iter().filter(|v| !v.is_finite()).count(), 1, "it does not spread");
    let held = vec![0.0; x.len()];
    let report = filter.apply(&contacts, &[], &held, &mut v, 0.01).unwrap();
    assert_eq!(report.immovable, contacts.list.len());
}

#[test]
fn a_second_filtering_allocates_nothing() {
    let (mut detector, x, v, inverse) = sheets();
    let contacts = found(&mut detector, &x, &v, 0.01);
    let q = Tensor::linear(DMat2::from_diagonal(DVec2::new(0.2, 0.5))).unwrap();
    let laws = vec![Law::from(q); contacts.list.len()];
    let mut filter = VelocityFilter::default();
    let mut after = v.clone();
    filter.apply(&contacts, &laws, &inverse, &mut after, 0.01).unwrap();
    after.copy_from_slice(&v);
    let info = allocation_counter::measure(|| {
        filter.apply(&contacts, &laws, &inverse, &mut after, 0.01).unwrap();
    });
    assert_eq!(info.count_total, 0);
}
